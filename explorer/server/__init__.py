"""The server around the pages: whom it answers, what it sends along, what it brings in before anybody comes."""
