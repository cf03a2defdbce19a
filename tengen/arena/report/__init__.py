"""A run of games as one page to look at: `tengen report`."""
