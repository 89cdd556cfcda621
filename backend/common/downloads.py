"""Headers of responses that a browser saves as a file."""

from django.utils.http import content_disposition_header


def download_headers(name: str) -> dict[str, str]:
    disposition = content_disposition_header(True, name) or "attachment"
    return {"Content-Disposition": disposition, "Cache-Control": "no-store"}
