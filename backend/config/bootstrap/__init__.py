"""From a bare machine to a running command: python3 -m backend.config.bootstrap COMMAND.

Standard library only, for nothing else is installed yet; of the project it imports nothing but
itself. Steps that find their work done cost milliseconds, so every make target begins here.
"""
