"""Trees: the immutable tree, the builder that readers and transformations use, and batches of trees as arrays."""
