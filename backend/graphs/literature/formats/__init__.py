"""Formats that papers are imported from, one folder each."""
