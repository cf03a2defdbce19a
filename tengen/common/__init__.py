"""What every command shares: the terminal, work on many processes, a server for local pages."""
