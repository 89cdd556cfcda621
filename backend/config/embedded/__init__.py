"""A real PostgreSQL and a real Valkey from Python wheels, started by the project itself.

Nothing here imports Django: the servers' addresses must be known before settings are read.
"""
