"""Clusters to start from; `registry.PRESETS` lists them."""
