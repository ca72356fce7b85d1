"""Benchmarks: run by `./dev bench`, never by the tests."""
