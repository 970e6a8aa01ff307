"""Views that live in the browser: each a folder with its Python face, its JavaScript and its CSS."""
