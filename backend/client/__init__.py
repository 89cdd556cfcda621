"""The Python client: check, submit and follow files of predictions from any machine."""

from backend.client.client import Client
from backend.client.errors import (
    ClientError,
    ConnectionFailed,
    InvalidPredictions,
    RequestRefused,
    UsageError,
)
from backend.client.file_validation import validate_file
from backend.client.results import Fetched, Model, Release, Score, Submission, Validation

__all__ = [
    "Client",
    "ClientError",
    "ConnectionFailed",
    "Fetched",
    "InvalidPredictions",
    "Model",
    "Release",
    "RequestRefused",
    "Score",
    "Submission",
    "UsageError",
    "Validation",
    "validate_file",
]
