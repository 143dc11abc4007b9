"""Trees: the immutable tree, the builder that readers and transformations use, and batches of trees as arrays.

Modules import one way: annotations and fields, the builder, the notation, the tree, batches.
"""
