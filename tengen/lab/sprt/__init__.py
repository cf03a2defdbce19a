"""`tengen lab sprt`: the working tree against a commit, in a sequential test."""
