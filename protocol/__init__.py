"""The mouth: the Gomocup protocol in text, in and out, for any brain (see `protocol.brain`)."""
