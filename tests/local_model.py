"""What tests of the real local model share: it is an extra, and they are skipped without it."""

import pytest

from backend.config.embedded.model_server import is_installed

needs_model = pytest.mark.skipif(
    not is_installed(), reason="the optional local model is not installed (make run MODEL=local)"
)
