"""Opponents of graded strength; each runs as a program that speaks the Gomocup protocol."""
