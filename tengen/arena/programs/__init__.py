"""Programs that speak the protocol: their processes, clocks and conversations."""
