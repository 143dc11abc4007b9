"""What a query says of two nodes, on columns, for many pairs at once."""
