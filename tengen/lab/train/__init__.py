"""Training: nets from games of self-play."""
