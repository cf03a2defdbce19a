"""The arena: two programs play each other through pipes, are judged, and are counted."""
