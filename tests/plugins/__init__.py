"""Extensions as somebody else would add them, found by discovery (SERENDIB_PLUGINS)."""
