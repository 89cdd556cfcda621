"""What the command prints of a submission: its page, and why an interval is missing."""

from datetime import UTC, datetime

from backend.client.output import submission_lines
from backend.client.results import ModelReference, Score, Submission

ADDRESS = "https://example.org/submissions/1"


def score(reason: str, *, low: float | None = None, high: float | None = None) -> Score:
    return Score(
        metric="mrr",
        slice="all",
        value=40,
        low=low,
        high=high,
        n=3,
        coverage=1,
        interval_reason=reason,
    )


def lines_of(*scores: Score) -> list[str]:
    submission = Submission(
        id="1",
        release="pairs",
        track="stark-prime",
        split="test",
        model=ModelReference(slug="a", name="A"),
        state="scored",
        file_name="a.jsonl",
        file_digest="0",
        predictions_digest="0",
        created_at=datetime(2026, 11, 29, tzinfo=UTC),
        score_visibility="shown",
        scores=scores,
    )
    return list(submission_lines(submission, ADDRESS))


def test_the_page_of_a_submission_is_printed() -> None:
    assert ADDRESS in lines_of()


def test_a_score_states_why_its_interval_is_approximate_or_missing() -> None:
    plain, few, too_few, undefined, later = lines_of(
        score("", low=20, high=60),
        score("few_clusters", low=20, high=60),
        score("too_few_clusters"),
        score("undefined"),
        score("reason_of_a_newer_server"),
    )[3:]
    assert plain.endswith("40.00 (20.00 to 60.00), n = 3, coverage 100%")
    assert few.endswith("(20.00 to 60.00), n = 3, coverage 100%, approximate")
    assert too_few.endswith("40.00, n = 3, coverage 100%, no interval, too few items")
    assert undefined.endswith("no interval, nothing to count")
    assert later.endswith("reason_of_a_newer_server")
