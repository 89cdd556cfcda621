from pathlib import Path


class InvalidArrayStore(ValueError):
    """A file of an array store is missing or altered, or is not the requested one."""

    code = "artefact_refused"

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"The file {path} cannot be used: {reason}.")
        self.path, self.reason = path, reason
