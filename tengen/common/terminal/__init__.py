"""What all commands share on the command line and in a terminal."""
