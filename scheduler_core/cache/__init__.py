"""What the scheduler knows of the cluster."""
