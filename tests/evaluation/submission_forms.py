"""Requests that send files of predictions."""

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

SUBMISSIONS, VALIDATIONS = "/api/v1/submissions", "/api/v1/validations"


def form(text: str, **fields: Any) -> dict[str, Any]:
    file = SimpleUploadedFile("predictions.jsonl", text.encode())
    return {"release": "pairs", "model": "my-model", "file": file, **fields}


def send(client: APIClient, path: str, body: dict[str, Any]) -> Any:
    """A check of a file takes no model; what is sent besides the file's own members is refused."""
    sent = {name: it for name, it in body.items() if path != VALIDATIONS or name != "model"}
    return client.post(path, sent, format="multipart")
