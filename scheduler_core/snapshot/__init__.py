"""The cluster as NumPy columns, one row a node."""
