"""Games of the engine against itself, played to train it, and the files that hold them."""
