"""Small servers on this machine for pages of ours: who is let in, and what they are served."""
