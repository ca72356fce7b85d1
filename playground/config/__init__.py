"""Wiring only: settings, urls, asgi, celery. What the playground does lives in its apps."""
