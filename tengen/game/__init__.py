"""What a game is: its rules, and the files that hold games and positions."""
