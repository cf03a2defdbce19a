"""Analysis of positions: forced wins are searched, shown and checked."""
