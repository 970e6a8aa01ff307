"""What goes wrong around the app, made to go wrong."""
