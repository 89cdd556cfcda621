"""Kinds of jobs of this plugin."""
