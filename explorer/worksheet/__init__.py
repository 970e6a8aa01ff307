"""Worksheets: a view, a lesson or the glossary as one HTML file that needs no server, no network and no script."""
