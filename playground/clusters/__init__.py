"""The API server's heart: clusters, their objects, the change feed, admission."""
