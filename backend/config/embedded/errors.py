"""The error of this package. Its text is shown to the user of the terminal."""


class ServiceError(Exception):
    """A server cannot be started, reached or shared."""
