"""Kubernetes objects as the engine sees them: frozen, typed, with snake_case fields."""
