"""What `import tengen` offers: positions, games, programs, the engine, matches."""
