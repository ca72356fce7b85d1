"""The engine on a live cluster: built from the database, following the feed, kept warm between tasks."""
