"""Benchmarks: the engine's signature (nodes of fixed searches) and its speed."""
