"""Records of a CSV export: what its cells do not hold is set to the moment of the import."""

import csv
import io
import json
import re
import uuid
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import count, groupby
from typing import IO, Any, BinaryIO

from django.utils import timezone

from annotation.exports_csv import csv_columns
from annotation.formats.archive_records import FORMAT_VERSION, ArchiveRecord
from annotation.formats.jsonl.reader import check_record
from annotation.formats.limits import LIMITS
from annotation.kinds.base import AnyKind
from annotation.kinds.registry import study_kinds
from annotation.models import SKIPPED, Status
from backend.studies.models import Study
from backend.validation.csv_escaping import unescape
from backend.validation.faults import printable
from backend.validation.row_files.faults import FileRefused, RowFault, RowFaultList

NUMBER = re.compile(r"[0-9.e+-]{1,30}")
Cells = dict[str, str]
Line = tuple[int, Cells]


def read_cells(file: IO[bytes]) -> Iterator[tuple[int, list[str]]]:
    """Each row with the line on which it ends. Raises FileRefused where it is no CSV."""
    csv.field_size_limit(max(csv.field_size_limit(), LIMITS.row_bytes))  # of the whole process
    text = io.TextIOWrapper(file, "utf-8-sig", newline="")
    reader = csv.reader(text, strict=True)
    try:
        for cells in reader:
            yield reader.line_num, cells
    except csv.Error as error:
        message = f"This is not CSV: {printable(str(error))}."
        expected = "cells separated by commas"
        raise FileRefused("not_csv", message, expected, reader.line_num + 1) from error
    except UnicodeDecodeError as error:
        message = "This is not UTF-8 text."
        raise FileRefused("not_utf8", message, "UTF-8 text", reader.line_num + 1) from error
    finally:
        if not file.closed:
            text.detach()  # which would close it


def read_csv(file: BinaryIO, faults: RowFaultList) -> Iterator[tuple[int, ArchiveRecord]]:
    rows = read_cells(file)
    _, header = next(rows, (1, []))
    kind = _kind_of(header)
    for line, record in _records(kind, _lines(rows, header, faults)):
        checked = check_record(line, record, faults)
        if checked is not None:
            yield line, checked


def _kind_of(header: Sequence[str]) -> AnyKind:
    fitting = [kind for kind in study_kinds().values() if csv_columns(kind) == [*header]]
    if not fitting:
        message = "These are not the columns of an export of a study."
        expected = "the columns of a CSV export, in their order"
        raise FileRefused("wrong_header", message, expected, 1, printable(",".join(header)))
    return fitting[0]


def _lines(
    rows: Iterator[tuple[int, list[str]]], header: Sequence[str], faults: RowFaultList
) -> Iterator[Line]:
    for line, cells in rows:
        if len(cells) != len(header):
            message = f"This row has {len(cells):,} cells."
            expected = f"{len(header):,} cells, as the header has"
            faults.add(RowFault(line, "", "wrong_cell_count", message, expected))
        else:
            yield line, dict(zip(header, map(unescape, cells), strict=True))


def _records(kind: AnyKind, lines: Iterator[Line]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Assignments are as old as their order in the file, which is that of later exports."""
    now, places = timezone.now(), count()
    known: set[tuple[str, str]] = set()
    for _, group in groupby(lines, key=lambda one: one[1]["question_id"]):
        rows = [*group]
        line, cells = rows[0]
        batch, study = ("batch", cells["batch_number"]), ("study", "")
        for key, record in ((study, _study(kind, cells, now)), (batch, _batch(cells))):
            if key not in known:
                yield line, record
        known |= {batch, study}
        yield line, _question(line, cells)
        for name, several in groupby(rows, key=lambda one: one[1]["assignment_id"]):
            if not name:
                continue
            own = [*several]
            line, cells = own[0]
            if ("expert", cells["expert"]) not in known:
                yield line, _expert(cells)
                known.add(("expert", cells["expert"]))
            yield line, _assignment(kind, own, now + next(places) * timedelta(microseconds=1))


def _study(kind: AnyKind, cells: Cells, now: datetime) -> dict[str, Any]:
    return {
        "record": "study",
        "format": FORMAT_VERSION,
        "id": _made_id(cells, "study"),
        "name": cells["study"],
        "kind": kind.name,
        "status": Study.Status.CLOSED,
        "is_demo": False,
        "graph": None,
        "guidelines": [],
        "created_at": now.isoformat(),
        "description": "",
        "software": "",
        "design": {"seed": 0, "arm_shares": {}, "overlap": None, "lease_minutes": 60},
    }


def _batch(cells: Cells) -> dict[str, Any]:
    return {
        "record": "batch",
        "id": _made_id(cells, f"batch {cells['batch_number']}"),
        "number": _number(cells["batch_number"]),
        "name": cells["batch_name"],
    }


def _made_id(cells: Cells, of: str) -> uuid.UUID:
    return uuid.uuid5(uuid.NAMESPACE_OID, f"{of} of {cells['question_id']}")


def _question(line: int, cells: Cells) -> dict[str, Any]:
    return {
        "record": "question",
        "id": cells["question_id"],
        "file_id": cells["qid"],
        "number": _number(cells["question_number"]),
        "text": cells["question"],
        "category": cells["category"],
        **_object(line, "question_json", cells),
    }


def _expert(cells: Cells) -> dict[str, Any]:
    name = {"name": cells["expert_name"]} if cells["expert_name"] else {}
    return {
        "record": "expert",
        "id": cells["expert"],
        "is_simulated": cells["expert_is_simulated"] == "yes",
        "consent_version": "",
        "consented_at": None,
        **name,
    }


def _assignment(kind: AnyKind, rows: list[Line], at: datetime) -> dict[str, Any]:
    _, cells = rows[0]
    several = groupby(rows, key=lambda one: one[1]["revision"])
    revisions = [_revision(*next(own)) for number, own in several if number]
    arms = {arm.name: cells[f"{arm.name}_arm"] for arm in kind.arms}
    chance = cells["selection_propensity"]
    return {
        "record": "assignment",
        "question": cells["question_id"],
        "id": cells["assignment_id"],
        "expert": cells["expert"],
        "created_at": at.isoformat(),
        "state": cells["state"],
        "occasion": _number(cells["occasion"]),
        "purpose": cells["purpose"],
        **({"blinding": cells["blinding"]} if cells["blinding"] else {}),
        "arms": {name: level for name, level in arms.items() if level},
        "propensity": _number(cells["propensity"]),
        "is_adaptive": cells["is_adaptive"] == "yes",
        "selection_propensity": _number(chance) if chance else None,
        "response": _response(revisions[-1]) if revisions else None,
        "revisions": revisions,
        "events": [],
    }


def _revision(line: int, cells: Cells) -> dict[str, Any]:
    skipped = cells["outcome"] == SKIPPED
    return {
        "number": _number(cells["revision"]),
        "submitted_at": cells["submitted_at"],
        "status": Status.SKIPPED if skipped else Status.SUBMITTED,
        "outcome": cells["outcome"],
        "payload": _object(line, "answer_json", cells),
        "active_ms": _number(cells["active_ms"]),
    }


def _response(newest: dict[str, Any]) -> dict[str, Any]:
    names = ("status", "outcome", "payload", "active_ms")
    return {
        "version": newest["number"],
        **{name: newest[name] for name in names},
        "updated_at": newest["submitted_at"],
    }


def _number(cell: str) -> object:
    """A cell that holds no number stays text, which its field reports."""
    try:
        return json.loads(cell) if NUMBER.fullmatch(cell) else cell
    except ValueError:
        return cell


def _object(line: int, column: str, cells: Cells) -> dict[str, Any]:
    """Raises FileRefused: nothing on this line and after it can be trusted."""
    try:
        value = json.loads(cells[column])
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict):
        return value
    message = "This cell holds no JSON object."
    raise FileRefused("not_json", message, f"the {column} of an export", line)
