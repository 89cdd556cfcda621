"""The papers' mathematics: arrays in, plain numbers out.

Import from the modules, not from here: loading one measure should not load them all.
"""
