"""Known treebanks: recipes, splits, transformations and statistics."""
