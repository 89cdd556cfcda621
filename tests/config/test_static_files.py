"""The files of the build are sent compressed to browsers that accept it."""

import gzip
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings


@pytest.mark.parametrize(("accepted", "sent"), [("gzip, deflate", "gzip"), ("", None)])
def test_a_script_of_the_build_is_sent_as_its_compressed_copy(
    settings: Settings, tmp_path: Path, accepted: str, sent: str | None
) -> None:
    script = b"export const answer = 42;\n" * 500
    (tmp_path / "main.js").write_bytes(script)
    (tmp_path / "main.js.gz").write_bytes(gzip.compress(script))
    settings.STATICFILES_DIRS = [("web", tmp_path)]
    settings.WHITENOISE_AUTOREFRESH = False  # as served
    response = Client().get("/static/web/main.js", headers={"accept-encoding": accepted})
    assert (response.status_code, response.get("Content-Encoding")) == (200, sent)
    body = response.getvalue()
    assert (gzip.decompress(body) if sent else body) == script
