"""The ladder: all opponents and Tengen in one round robin, from a random mover to the engine."""
