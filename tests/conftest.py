"""Shared fixtures. Tests start from people, touch real services and leave nothing behind."""

pytest_plugins = ["tests.personas"]
