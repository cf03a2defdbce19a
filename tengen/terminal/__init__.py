"""What all commands share in a terminal."""
