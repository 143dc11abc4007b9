"""Search in discontinuous trees: an index of columns, two query languages and one engine."""
