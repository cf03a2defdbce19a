"""The rules of the games: the referee, points, pictures of boards, and checks of wins."""
