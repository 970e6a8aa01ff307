"""Training in the app, without any page: runs in folders, processes that train them, a queue, archives."""
