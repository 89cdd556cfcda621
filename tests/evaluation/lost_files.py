"""Files that are removed from the disk while rows of the database refer to them."""

from pathlib import Path

from rest_framework.test import APIClient

from backend.evaluation.component_files import components_path
from backend.evaluation.models import Submission
from backend.evaluation.prediction_files import prediction_path
from tests.evaluation.truthhypo_files import prediction_lines

ONE_WRONG, TWO_WRONG = prediction_lines(range(60), [1]), prediction_lines(range(60), [1, 2])


def board(client: APIClient, slug: str = "pairs") -> dict[str, str]:
    """Models by name with the evaluator's version of the board."""
    shown = client.get(f"/api/v1/boards/{slug}").json()
    return {row["model"]["name"]: shown["evaluator_version"] for row in shown["results"]}


def lose(submission: Submission) -> bytes:
    path = prediction_path(submission.file_digest)
    content = path.read_bytes()
    path.unlink()
    return content


def lose_components(submission: Submission) -> tuple[Path, bytes]:
    assert submission.evaluation is not None
    path = components_path(submission.evaluation.key)
    content = path.read_bytes()
    path.unlink()
    return path, content
