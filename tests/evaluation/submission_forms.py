"""Requests that send files of predictions."""

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

SUBMISSIONS, VALIDATIONS = "/api/v1/submissions", "/api/v1/validations"


def form(text: str, **fields: Any) -> dict[str, Any]:
    file = SimpleUploadedFile("predictions.jsonl", text.encode())
    return {"release": "pairs", "model": "my-model", "file": file, **fields}


def send(client: APIClient, path: str, body: dict[str, Any]) -> Any:
    return client.post(path, body, format="multipart")
