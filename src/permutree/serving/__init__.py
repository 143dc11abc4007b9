"""The server, the page where people see trees, and a client."""
