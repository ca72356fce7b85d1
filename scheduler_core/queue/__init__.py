"""The scheduling queue: where a pod waits, and what moves it.

Knows plugins only as names with registered events; see `scheduling_queue`.
"""
