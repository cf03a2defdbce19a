"""Opponents to measure against; each speaks the Gomocup protocol as a program of its own."""
