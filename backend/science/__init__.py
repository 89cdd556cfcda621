"""Numerical methods of the papers: arrays in, plain numbers out.

Import from the modules, not from this package, so that one measure does not load all of them.
"""
