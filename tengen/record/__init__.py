"""Games as they are recorded, and the files of other programs."""
