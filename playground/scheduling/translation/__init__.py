"""Rows to engine types and live messages, and back."""
