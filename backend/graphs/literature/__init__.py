"""Collections of papers: imported from files, indexed by words, searched under a cut-off."""
