"""The Gomocup protocol on standard input and output, for any brain (see `protocol.brain`)."""
