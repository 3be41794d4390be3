"""Rate limits counted in PostgreSQL, so that every web process counts the same."""
