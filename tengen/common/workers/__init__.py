"""Work on many processes: here or on a dask.distributed cluster; signals and locks."""
