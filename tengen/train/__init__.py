"""Fitting what the engine believes: the values file, from games the engine has played."""
