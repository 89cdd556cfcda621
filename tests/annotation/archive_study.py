"""A small study of any kind with simulated answers, and its exports."""

import io
import json
from typing import Any

from django.conf import settings

from annotation.archives import ImportedArchive, import_archive
from annotation.formats.registry import get_export_format_or_raise
from annotation.imports import import_study
from annotation.simulation import simulate_study
from annotation.study_creation import Design, set_design
from backend.accounts.models import User
from backend.benchmarks.questionnaire import SourceFile
from backend.studies.models import Study
from tests.annotation.personas import join_as_expert, make_user

HOSTILE_TEXT = '=1+1\r\n\'“quoted”, "cells"; \u2028 {"record": "study"} \'end\r'


def make_answered_study(kind: str, *, raters: int = 2, overlap: int | None = None) -> Study:
    """Of the kind's demo, or of rankings', with one expert who has not begun."""
    demo = settings.ROOT / "fixtures" / "demo"
    folder = demo / kind if (demo / kind).exists() else demo / "questionnaire"
    entries: list[dict[str, Any]] = json.loads((folder / "batch1.json").read_bytes())[:3]
    entries[0]["text"] = entries[0]["category"] = HOSTILE_TEXT
    files = [
        SourceFile(f"batch{number}.json", json.dumps(part).encode())
        for number, part in ((1, entries[:2]), (7, entries[2:]))
    ]
    study = import_study(actor=None, name=f"Study of {kind}", sources=files, kind=kind).study
    set_design(study, Design(seed=5, overlap=overlap))
    simulate_study(study=study, raters=raters, seed=3)
    if overlap is None:
        join_as_expert(study, list(study.batches.all()), make_user("Eve"))
    return Study.objects.get(pk=study.pk)


def export(study: Study, name: str, *, with_names: bool = False) -> bytes:
    _, write = get_export_format_or_raise(name)
    file = io.BytesIO()
    write(Study.objects.get(pk=study.pk), file, with_names)
    return file.getvalue()


def import_bytes(
    content: bytes, format_name: str, name: str = "Archive", actor: User | None = None
) -> ImportedArchive:
    return import_archive(actor=actor, name=name, format_name=format_name, file=io.BytesIO(content))
