"""Training: fits the engine's evaluation and move ordering values to games it has played."""
