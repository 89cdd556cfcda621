"""Shared fixtures: tests start from people, touch the real services, leave nothing behind."""
