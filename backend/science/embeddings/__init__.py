"""Embeddings of the entities of a graph, and their evaluation."""
