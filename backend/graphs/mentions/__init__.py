"""Mentions of entities in a text, linked to a graph."""
