"""Where the failed queries of a submission are: the line of its file, and the question in words."""

from collections.abc import Mapping
from dataclasses import replace

from backend.benchmarks.models import Item
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.evaluation.models import Submission
from backend.evaluation.query_reports import QueryReportView
from backend.evaluation.scoring import open_predictions
from backend.jobs.faults import PlatformFault
from backend.validation.row_files.faults import RowFaultList
from backend.validation.row_files.reader import read_rows


def locate_failures(submission: Submission, report: QueryReportView) -> QueryReportView:
    """Lines depend on the file, while evaluations are shared by files of equal predictions."""
    if not report.failures:
        return report
    lines, questions = _read_lines(submission), _read_questions(submission)
    located = [
        replace(one, line=lines.get(one.item), question=questions.get(one.item, ""))
        for one in report.failures
    ]
    return replace(report, failures=located)


def _read_lines(submission: Submission) -> Mapping[str, int]:
    """Empty where the file is missing: its failures are known all the same."""
    track = get_track_or_raise(submission.release.track)
    lines: dict[str, int] = {}
    try:
        with open_predictions(submission, is_verified=False) as stream:
            name = submission.file_name
            for rows in read_rows(stream, name, track.prediction_rows, RowFaultList()):
                for line, row in zip(rows.lines, rows.values, strict=True):
                    lines.setdefault(track.key_text(row), line)
    except PlatformFault:
        return {}
    return lines


def _read_questions(submission: Submission) -> Mapping[str, str]:
    track = get_track_or_raise(submission.release.track)
    rows = Item.objects.filter(release=submission.release, split=submission.split)
    texts: dict[str, str] = {}
    for content in rows.values_list("content", flat=True).iterator(2_000):
        key = ", ".join(str(content[name]) for name in track.key_fields)
        texts[key] = str(content.get("question", ""))
    return texts
