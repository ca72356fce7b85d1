"""Clusters in memory and in simulated time."""
