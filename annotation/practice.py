"""The question that a visitor may try without an account. Nothing of it is stored."""

from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from annotation.answers import Order, prior_of
from backend.benchmarks.questionnaire import LARGEST_ID, LARGEST_RANK, LONGEST_TEXT
from backend.benchmarks.reading import Faults, Node, read_json

FILE = settings.ROOT / "fixtures" / "practice.json"
AT_MOST = 20


@dataclass(frozen=True)
class PracticeCandidate:
    id: str
    name: str
    link: str
    prior_rank: int
    hint: str


@dataclass(frozen=True)
class PracticeQuestion:
    id: str
    file_id: str
    number: int
    text: str
    category: str
    resources: list[dict[str, str]]
    candidates: list[PracticeCandidate]
    prior: Order


@dataclass(frozen=True)
class Practice:
    question: PracticeQuestion
    explanation: str
    sources: list[dict[str, str]]


@cache
def practice_question() -> Practice:
    return read_practice(FILE.read_bytes())


def read_practice(content: bytes) -> Practice:
    """A question in the shape of the questionnaires, with hints, an explanation and sources."""
    faults = Faults()
    root = read_json(FILE.name, content, faults) or Node({}, FILE.name, faults)
    practice = Practice(
        question=_question(root),
        explanation=root.field("explanation").text(LONGEST_TEXT),
        sources=[
            {
                "claim": item.field("claim").text(LONGEST_TEXT),
                "source": item.field("source").text(LONGEST_TEXT),
                "url": item.field("url").link(LONGEST_TEXT),
            }
            for item in root.field("sources").items(1, AT_MOST, "sources")
        ],
    )
    if faults.total:
        said = "; ".join(f"{fault.place}: {fault.message}" for fault in faults.listed)
        raise ImproperlyConfigured(f"The practice question cannot be used. {said}")
    return practice


def _question(root: Node) -> PracticeQuestion:
    ranked = root.field("llm_ranking").items(2, AT_MOST, "candidates")
    candidates = [_candidate(item, place) for place, item in enumerate(ranked, 1)]
    return PracticeQuestion(
        id="practice",
        file_id=str(root.field("qid").whole(0, LARGEST_ID)),
        number=1,
        text=root.field("text").text(LONGEST_TEXT),
        category=root.field("category").text(LONGEST_TEXT, empty=True),
        resources=[
            {
                "name": item.field("entity_name").text(LONGEST_TEXT),
                "link": item.field("entity_link").link(LONGEST_TEXT),
            }
            for item in root.field("resource").items(0, AT_MOST, "resources")
        ],
        candidates=candidates,
        prior=prior_of(candidates),
    )


def _candidate(item: Node, place: int) -> PracticeCandidate:
    return PracticeCandidate(
        id=f"practice-{place}",
        name=item.field("entity_name").text(LONGEST_TEXT),
        link=item.field("entity_link").link(LONGEST_TEXT),
        prior_rank=item.field("llm_rank").whole(1, LARGEST_RANK),
        hint=item.field("hint").text(LONGEST_TEXT),
    )
