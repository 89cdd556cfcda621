"""Prepare a checkout on a bare machine and run a command: python3 -m tools.bootstrap COMMAND.

Standard library only, because nothing else is installed yet. Steps whose result exists take
milliseconds, so every make target begins here.
"""
