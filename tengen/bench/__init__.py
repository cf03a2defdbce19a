"""The scales: what the engine searches (its signature) and how fast it does."""
