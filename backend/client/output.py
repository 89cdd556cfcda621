"""Results as lines of text, which are printed through `clean`: files and servers are foreign."""

from collections.abc import Iterable, Iterator

from backend.client.results import Fetched, Model, Release, Score, Submission, Validation
from backend.validation.faults import printable
from backend.validation.row_files.faults import RowFault


def clean(line: str) -> str:
    """Control and direction characters are escaped, so that no terminal obeys them."""
    return printable(line, max(len(line), 1))


def validation_lines(name: str, validation: Validation) -> Iterator[str]:
    # Of a file with faults, items are missing because of them.
    for one in validation.notices if validation.is_valid else validation.faults:
        yield fault_line(name, one)
    yield validation_summary(validation)


def fault_line(name: str, fault: RowFault) -> str:
    """`FILE:LINE: field: message (expected …, given …) [code]`, as compilers print errors."""
    place = f"{name}:{fault.line}" if fault.line else name
    field = f"{fault.field}: " if fault.field else ""
    pairs = (("expected", fault.expected), ("given", fault.given))
    details = ", ".join(f"{label} {text}" for label, text in pairs if text)
    return f"{place}: {field}{fault.message}{f' ({details})' if details else ''} [{fault.code}]"


def validation_summary(validation: Validation) -> str:
    listed = len(validation.faults)
    if not validation.is_valid:
        more = f" The first {listed:,} are listed." if listed < validation.total else ""
        return f"{count(validation.total, 'fault')}. Correct the file before you submit it.{more}"
    if validation.items is None:
        rows = count(validation.answered, "row")
        return f"{rows} without a fault. Items were not compared; name them with --items."
    return (
        f"No fault. {validation.answered:,} of {count(validation.items, 'item')} answered. "
        f"Digest {validation.digest}."
    )


def count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


STATES = {
    "queued": "Waiting for its evaluation.",
    "scored": "Scored.",
    "failed": "The evaluation failed.",
    "withdrawn": "Withdrawn.",
}
NOT_BETTER = (
    "It is not better than your standing result. Its scores are shown when the release closes."
)


# As the boards note it beside a score.
INTERVAL_NOTES = {
    "few_clusters": "approximate",
    "too_few_clusters": "no interval, too few items",
    "undefined": "no interval, nothing to count",
}


def submission_lines(submission: Submission, address: str) -> Iterator[str]:
    """address: of the submission's page."""
    yield f"Submission {submission.id} to {submission.release} ({submission.split})."
    yield state_line(submission)
    yield address
    if submission.tool_calls is not None:
        yield f"Made with {count(submission.tool_calls, 'tool call')}."
    if submission.failed_queries:
        failed = f"{submission.failed_queries:,} of its queries failed"
        yield f"{failed}. The page lists them."
    if submission.score_visibility == "not_better":
        yield NOT_BETTER
    if submission.is_standing:
        yield "It is on the board."
    if submission.is_final:
        yield "It is the final entry of its model."
    yield from map(score_line, submission.scores)


def state_line(submission: Submission) -> str:
    error = submission.error or {}
    detail = str(error.get("detail", ""))
    reference = f"Reference: {error['job']}." if error.get("job") else ""
    parts = (STATES.get(submission.state, submission.state), detail, reference)
    return " ".join(part for part in parts if part)


def score_line(score: Score) -> str:
    has_interval = score.low is not None and score.high is not None
    interval = f" ({score.low:.2f} to {score.high:.2f})" if has_interval else ""
    reason = INTERVAL_NOTES.get(score.interval_reason, score.interval_reason)
    return (
        f"{score.metric:<20} {score.slice:<20} {score.value:.2f}{interval}, "
        f"n = {score.n:,}, coverage {score.coverage:.0%}{f', {reason}' if reason else ''}"
    )


def release_lines(releases: Iterable[Release]) -> Iterator[str]:
    for one in releases:
        items = ", ".join(f"{split} {number:,}" for split, number in one.items.items())
        yield f"{one.slug:<24} {one.track:<16} {one.state:<12} {items}"


def model_lines(models: Iterable[Model]) -> Iterator[str]:
    for one in models:
        yield f"{one.slug:<32} {'yours' if one.is_own else '':<8} {one.name}"


def fetched_lines(fetched: Fetched) -> Iterator[str]:
    yield f"{fetched.release.name}, track {fetched.release.track}, in {fetched.folder}:"
    yield "release.json: its card"
    for split, path in fetched.items.items():
        yield f"{path.name}: {count(fetched.release.items[split], 'item')}"
    if fetched.entities is not None:
        yield f"{fetched.entities.name}: the entities that predictions may name"
    if fetched.example is not None:
        yield f"{fetched.example.name}: the format of predictions"
