"""How the engine gets better: measuring, self-play, training, tuning."""
