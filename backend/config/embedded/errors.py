"""The one error of this package; its text is a sentence for the person at the terminal."""


class ServiceError(Exception):
    """A server cannot be started, reached or shared."""
