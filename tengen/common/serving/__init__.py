"""Serves local pages and checks their tokens."""
