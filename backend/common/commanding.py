"""What commands have in common."""

from __future__ import annotations

import json
import sys
from typing import NoReturn

from django.core.management.base import OutputWrapper

from backend.common.errors import DomainError


def refuse(error: DomainError, out: OutputWrapper, err: OutputWrapper, as_json: bool) -> NoReturn:
    """Say what is wrong and end."""
    if as_json:
        told = {"code": error.code, "detail": error.detail, **error.data}
        told["errors"] = [{"place": it.place, "message": it.message} for it in error.faults]
        out.write(json.dumps({"error": told}))
    else:
        for fault in error.faults:
            err.write(f"{fault.place}: {fault.message}")
        err.write(error.detail)
    sys.exit(1)
