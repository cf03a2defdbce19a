"""The study: forced wins looked for, shown, and checked."""
