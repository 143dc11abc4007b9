"""Treebanks: formats, transformations and recipes."""
