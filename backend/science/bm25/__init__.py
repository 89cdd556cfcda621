"""Texts ranked by their words: BM25 over postings in memory or in memory-mapped files."""
