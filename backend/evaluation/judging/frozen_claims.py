"""A frozen set of claims with people's verdicts, from JSON Lines or the export of a study."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from backend.common.errors import DomainError
from backend.common.pluralize import pluralize
from backend.runtime.sentences import split_sentences
from backend.tracks.grounding_verdicts import (
    ClaimContext,
    ContextEdge,
    ContextPaper,
    NamedEntity,
    Verdict,
)
from backend.validation.faults import Fault
from backend.validation.json_files import UNSTORABLE

EXPORT_FORMATS = ("serendib.study/",)
CLAIMS_KIND = "claims"
JUDGING, FIRST_OCCASION = "answer", 1
NOT_SURE = "not_sure"
EXCLUSIONS = ("exclude", "include")
MOST_CLAIMS, MOST_FAULTS = 100_000, 100
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Text = Annotated[str, Field(max_length=50_000)]
Name = Annotated[str, Field(min_length=1, max_length=2_000)]


class Line(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class DocumentLine(Line):
    """sentences: those that the judge reads; without them the title and all of the text."""

    id: Name
    title: Text = ""
    text: Text
    sentences: Annotated[list[Text], Field(max_length=100)] | None = None

    @property
    def read(self) -> Sequence[str]:
        whole = [self.title, *split_sentences(self.text)]
        return whole if self.sentences is None else self.sentences


class EdgeLine(Line):
    """phrase: the relation in words, as the judge reads it."""

    source: Name
    relation: Name
    target: Name
    source_type: Text = "entity"
    target_type: Text = "entity"
    phrase: Text | None = None

    def read(self, number: int) -> ContextEdge:
        source = NamedEntity(self.source, self.source, self.source_type)
        target = NamedEntity(self.target, self.target, self.target_type)
        words = self.relation.replace("_", " ") if self.phrase is None else self.phrase
        return ContextEdge(number, source, target, self.relation, words, "", False, True)


class ClaimLine(Line):
    """people: the raters' mean, 1 for supported; or verdict, of one person or a consensus.
    before: the judge's stored score. cluster: such as the rationale of the claim."""

    id: Name
    claim: Annotated[str, Field(min_length=1, max_length=10_000)]
    people: Share | None = None
    verdict: Verdict | None = Field(default=None, strict=False)
    before: Share | None = None
    cluster: Name | None = None
    weight: Annotated[float, Field(gt=0, le=1e6, allow_inf_nan=False)] = 1.0
    documents: Annotated[list[DocumentLine], Field(max_length=50)] = []
    edges: Annotated[list[EdgeLine], Field(max_length=200)] = []


class StoredScoreLine(BaseModel):
    """score: of support, from 0 to 1; null for a claim without an answer."""

    model_config = ConfigDict(extra="ignore", strict=True)

    id: Name
    score: Share | None


@dataclass(frozen=True)
class FrozenClaim:
    id: str
    claim: str
    people: float
    before: float | None
    cluster: str
    weight: float
    documents: Sequence[DocumentLine] = ()
    edges: Sequence[EdgeLine] = ()

    @property
    def context(self) -> ClaimContext:
        """What the experts saw, as a verifier reads it."""
        papers = [ContextPaper(one.id, one.title, "", "", one.read) for one in self.documents]
        return ClaimContext((), [one.read(at) for at, one in enumerate(self.edges)], papers)


@dataclass(frozen=True)
class FrozenSet:
    """left_out: claims that no person has judged, about which all were unsure, or that a
    coordinator left out."""

    claims: Sequence[FrozenClaim]
    left_out: int = 0
    judges: Sequence[str] = field(default_factory=tuple)


def read_frozen_set(content: bytes, judge: str = "") -> FrozenSet:
    """judge: of an export with several, whose answers are those before.

    Raises DomainError with the faults and their lines.
    """
    text = decode(content)
    export = _as_export(text)
    if export is not None:
        return read_export(export, judge)
    rows = [*parse_lines(text, TypeAdapter(ClaimLine))]
    faults = [
        Fault(f"line {line}", "A claim needs people or verdict.", "missing", "one of them")
        for line, one in rows
        if (one.people is None) == (one.verdict is None)
    ]
    faults += list_repeated((line, one.id) for line, one in rows)
    raise_faults(faults)
    return require_claims(FrozenSet([frozen_claim(one) for _, one in rows]))


def frozen_claim(one: ClaimLine) -> FrozenClaim:
    return FrozenClaim(
        id=one.id,
        claim=one.claim,
        people=one.people if one.people is not None else _support(one.verdict),
        before=one.before,
        cluster=f"cluster {one.cluster}" if one.cluster else f"claim {one.id}",
        weight=one.weight,
        documents=one.documents,
        edges=one.edges,
    )


def read_scores(content: bytes, known: Sequence[FrozenClaim]) -> Mapping[str, float | None]:
    """By id of the claim. Raises DomainError for an id that is unknown or repeated."""
    rows = [*parse_lines(decode(content), TypeAdapter(StoredScoreLine))]
    ids = {one.id for one in known}
    faults = [
        Fault(f"line {line}", "The frozen set has no claim with this id.", "unknown")
        for line, one in rows
        if one.id not in ids
    ]
    raise_faults([*faults, *list_repeated((line, one.id) for line, one in rows)])
    return {one.id: one.score for _, one in rows}


def decode(content: bytes) -> str:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"The file is no UTF-8 at byte {error.start + 1:,}."
        raise DomainError(message, code="invalid_file") from error
    return text


def _as_export(text: str) -> Mapping[str, Any] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, dict) and str(value.get("format", "")).startswith(EXPORT_FORMATS):
        return value
    return None


def parse_lines(text: str, adapter: "TypeAdapter[Any]") -> Iterator[tuple[int, Any]]:
    """Raises DomainError with the faults of all lines."""
    faults: list[Fault] = []
    rows: list[tuple[int, Any]] = []
    for line, one in enumerate(text.split("\n"), start=1):
        if not one.strip():
            continue
        try:
            value = adapter.validate_json(one)
            if UNSTORABLE.search(json.dumps(value.model_dump(), ensure_ascii=False)):
                faults.append(Fault(f"line {line}", "A text has what is no character.", "invalid"))
            rows.append((line, value))
        except ValidationError as error:
            wrong = error.errors(include_url=False, include_input=False)[0]
            place = ".".join([f"line {line}", *map(str, wrong["loc"])])
            faults.append(Fault(place, f"{wrong['msg']}.", "invalid"))
        if len(faults) >= MOST_FAULTS or len(rows) > MOST_CLAIMS:
            break
    raise_faults(faults)
    if len(rows) > MOST_CLAIMS:
        raise DomainError(f"At most {MOST_CLAIMS:,} lines are read.", code="invalid_file")
    yield from rows


def list_repeated(rows: Iterator[tuple[int, str]]) -> list[Fault]:
    lines: dict[str, int] = {}
    faults = []
    for line, name in rows:
        if (first := lines.setdefault(name, line)) != line:
            faults.append(Fault(f"line {line}", f"Line {first} has this id.", "repeated"))
    return faults


def raise_faults(faults: Sequence[Fault]) -> None:
    if faults:
        message = f"The file has {pluralize(len(faults), 'fault')}. Correct it and start again."
        raise DomainError(message, code="invalid_file", faults=[*faults[:MOST_FAULTS]])


def read_export(export: Mapping[str, Any], judge: str) -> FrozenSet:
    """Of a claims study: people's mean verdict by claim, and what a judge answered then."""
    try:
        if export["study"]["kind"] != CLAIMS_KIND:
            message = "This study verifies no claims. Export a study of claims."
            raise DomainError(message, code="kind_differs")
        questions = [one for batch in export["batches"] for one in batch["questions"]]
        before = _answers_before(export, judge)
        read = [_read_question(one, before) for one in questions]
    except (KeyError, TypeError, AttributeError, ValidationError) as error:
        message = "The export is damaged: a part of it is not as studies write it."
        raise DomainError(message, code="invalid_file") from error
    claims = [one for one in read if one is not None]
    names = [str(one["name"]) for one in export.get("judges", [])]
    return require_claims(FrozenSet(claims, len(read) - len(claims), names))


def _answers_before(export: Mapping[str, Any], judge: str) -> Mapping[str, float]:
    judges = {str(one["name"]): one for one in export.get("judges", [])}
    if judge and judge not in judges:
        known = ", ".join(judges) or "none"
        raise DomainError(f"The export has no judge '{judge}'. It has: {known}.", code="no_judge")
    chosen = judges.get(judge) if judge else None
    if not judge and len(judges) == 1:
        (chosen,) = judges.values()
    if chosen is None:
        return {}
    return {str(one["question"]): _support(one["outcome"]) for one in chosen["answers"]}


def _read_question(one: Mapping[str, Any], before: Mapping[str, float]) -> FrozenClaim | None:
    """None where no person decided, or a coordinator leaves the claim out."""
    verdicts = [*_verdicts(one["assignments"])]
    actions = [it["action"] for it in one.get("decisions", []) if it["action"] in EXCLUSIONS]
    if not verdicts or actions[-1:] == ["exclude"]:
        return None
    own = one.get("for_coordinators", {}).get("model_verdict") or ""
    stored = before.get(str(one["id"]), _support(own) if own else None)
    return FrozenClaim(
        id=str(one["file_id"]),
        claim=str(one["text"]),
        people=fmean(map(_support, verdicts)),
        before=stored,
        cluster=f"claim {one['file_id']}",
        weight=1.0,
        documents=[
            DocumentLine(id=it["id"], title=it["title"], text="".join(it["sentences"]))
            for it in one["documents"]
        ],
        edges=[
            EdgeLine(source=it["source"], relation=it["relation"], target=it["target"])
            for it in one["edges"]
        ],
    )


def _verdicts(assignments: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The last submission of each expert, of the first occasion alone."""
    for one in assignments:
        revisions = one["revisions"]
        is_counted = one["purpose"] == JUDGING and one["occasion"] == FIRST_OCCASION
        if is_counted and revisions and revisions[-1]["outcome"] in [*Verdict]:
            yield revisions[-1]["outcome"]


def _support(verdict: object) -> float:
    return float(verdict == Verdict.SUPPORTED)


def require_claims(frozen: FrozenSet) -> FrozenSet:
    if not frozen.claims:
        raise DomainError("The file has no claims with people's verdicts.", code="invalid_file")
    return frozen
