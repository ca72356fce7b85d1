"""What every app shares: errors and how they are told, database helpers, field types."""
