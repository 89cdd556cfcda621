"""How to cite a result."""

from backend.benchmarks.citations import bibtex_entry
from backend.leaderboard.coverage import coverage_note
from backend.leaderboard.results import PublicResult, format_score
from backend.llm.models.endpoints import describe_model


def cite_result(result: PublicResult) -> str:
    content = result.content
    model = content["model"] if content else None
    name = result.model_name if content else "Withdrawn entry"
    versions = f"release {result.release.digest}, evaluator {result.standing.evaluator_version}"
    return bibtex_entry(
        f"serendib-{result.submission.pk}",
        {
            "title": f"{name} on {result.release.name}{_describe_score(result)}",
            "author": model["organisation"] if model else "",
            "publisher": "Serendib",
            "year": str(result.submission.created_at.year),
            "version": result.key,
            "note": f"{result.release.track}, {result.submission.split} items, {versions}"
            + _describe_model(result),
        },
        result.url,
    )


def _describe_model(result: PublicResult) -> str:
    """What made the predictions, with its size, where they were made here."""
    submission = result.submission
    run = submission.declared.get("run")
    if not (result.content and run) or submission.is_anonymous:
        return ""
    return f", answered by {describe_model(run['endpoint_model'], run['parameters'])}"


def _describe_score(result: PublicResult) -> str:
    if not result.content:
        return ""
    metric = result.main_metric
    value, low, high = result.main_score
    text = f": {metric.label} {format_score(metric, value or 0.0)}"
    if low is not None and high is not None:
        text = f"{text} ({format_score(metric, low)} to {format_score(metric, high)})"
    coverage = coverage_note(result.content, result.main_key)
    return f"{text}, {coverage}" if coverage else text
