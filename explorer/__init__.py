"""What is drawn: the visitor's state, colours with meaning, shared models, views that live in the browser."""
