"""Compares the engine with measured answers of kube-scheduler: `python -m scheduler_core.conformance FILE...`."""
