"""Questions of an existing set that a questionnaire joins by id and text. The set never changes."""

import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from annotation.kinds.base import AnyKind, Payload
from annotation.kinds.registry import get_kind_or_raise
from annotation.models import BatchQuestion
from backend.benchmarks import questionnaire as files
from backend.benchmarks.models import Candidate, Question, QuestionRecord, QuestionSet
from backend.benchmarks.study_links import question_set_of
from backend.graphs.identifiers import canonicalize, curie_from_url
from backend.studies.models import Study
from backend.validation.faults import Fault, FaultList, printable

CONTEXT = 20  # characters before the first difference of two texts


@dataclass(frozen=True)
class JoinedQuestions:
    """By the file's id: the set's question, what the study adds to it, and the positions there of
    the file's candidates."""

    questions: dict[int, Question] = field(default_factory=dict)
    payloads: dict[int, Payload] = field(default_factory=dict)
    positions: dict[int, Sequence[int]] = field(default_factory=dict)


def shows_set_questions(study: Study) -> bool:
    """Whether its questions have patterns, so that files can only join them."""
    entries = BatchQuestion.objects.filter(batch__study=study)
    return entries.filter(question__records__kind=QuestionRecord.Kind.QA).exists()


def join_questions(
    study: Study, questions: Sequence[files.QuestionEntry], faults: Iterable[Fault] = ()
) -> JoinedQuestions:
    """Raises QuestionnaireInvalid with everything in which the files differ from the study's set.

    The order shown first is that of the files. faults: matched by the caller, reported together.
    """
    kind, result, joined = get_kind_or_raise(study.kind), FaultList.of(faults), JoinedQuestions()
    stored = _questions_by_id(question_set_of(study), questions)
    entries = BatchQuestion.objects.filter(batch__study=study)
    shown = dict(entries.values_list("question_id", "payload"))
    for read in questions:
        question = stored.get(str(read.qid))
        if question is None:
            message = f"The set has no question {read.qid}."
            result.add(f"{read.place}, qid", message, "the id of one of its questions", "unknown")
        else:
            _join(kind, read, question, shown, joined, result)
    if result.total:
        raise files.QuestionnaireInvalid.of(result)
    return joined


def _questions_by_id(
    question_set: QuestionSet, questions: Sequence[files.QuestionEntry]
) -> dict[str, Question]:
    ids = [str(one.qid) for one in questions]
    stored = question_set.questions.filter(file_id__in=ids)
    return {one.file_id: one for one in stored.prefetch_related("candidates", "resources")}


def _join(
    kind: AnyKind,
    read: files.QuestionEntry,
    question: Question,
    shown: Mapping[uuid.UUID, Payload],
    joined: JoinedQuestions,
    faults: FaultList,
) -> None:
    _check_texts(read, question, faults)
    if not kind.can_use(question):
        message = f"Studies of {kind.title} cannot show this question of the set."
        faults.add(read.place, message, "a question with the fields of this kind", "kind_differs")
        return
    positions = _match_candidates(read, list(question.candidates.all()), faults)
    payload = {
        **kind.fields_of(question, _order(read, positions)),
        **_added_fields(read, question, positions),
    }
    if shown.get(question.pk, payload) != payload:
        message = "The study shows other fields of this question, or another order."
        faults.add(read.place, message, "what was imported before", "changed")
    joined.questions[read.qid] = question
    joined.payloads[read.qid] = payload
    joined.positions[read.qid] = positions


def _check_texts(read: files.QuestionEntry, question: Question, faults: FaultList) -> None:
    own = {"text": read.text, **read.payload()}
    stored = {"text": question.text, **question.payload}
    for name in own.keys() & stored.keys():
        if own[name] != stored[name]:
            there, here = _excerpts(str(stored[name]), str(own[name]))
            message = f"The file has '{here}', the set has '{there}'."
            faults.add(f"{read.place}, {name}", message, "the same as in the set", "changed")


def _excerpts(one: str, other: str) -> tuple[str, str]:
    """Both from shortly before the first difference."""
    pairs = enumerate(zip(one, other, strict=False))
    first = next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))
    start = max(0, first - CONTEXT)
    return printable(one[start:]), printable(other[start:])


def _match_candidates(
    read: files.QuestionEntry, candidates: Sequence[Candidate], faults: FaultList
) -> list[int]:
    """Positions of the file's candidates in the set: by name, else by identifier."""
    if not read.candidates:
        return []
    matched: dict[int, Candidate] = {}
    for keys_of_read, keys_of_stored in (
        (lambda one: {one.name}, lambda one: {one.name}),
        (_identifiers_of_link, _identifiers),
    ):
        rest = [(place, one) for place, one in enumerate(read.candidates) if place not in matched]
        others = [one for one in candidates if one not in matched.values()]
        matched |= _match_unique(rest, others, keys_of_read, keys_of_stored)
    for place, one in enumerate(read.candidates):
        if place not in matched:
            message = f"The set's question has no candidate '{printable(one.name)}'."
            where = f"{read.place}, llm_ranking[{place}].entity_name"
            faults.add(where, message, "a name or identifier of the set", "unknown")
    missing = [one.name for one in candidates if one not in matched.values()]
    if missing:
        message = f"The file lacks the set's candidate '{printable(missing[0])}'."
        expected = f"all {len(candidates)} candidates; {len(missing)} are missing"
        faults.add(f"{read.place}, llm_ranking", message, expected, "missing")
    return [matched[place].position for place in sorted(matched)]


def _match_unique(
    read: Sequence[tuple[int, files.QuestionnaireCandidate]],
    stored: Sequence[Candidate],
    keys_of_read: Callable[[files.QuestionnaireCandidate], set[str]],
    keys_of_stored: Callable[[Candidate], set[str]],
) -> dict[int, Candidate]:
    """Those with a key that one candidate has on either side."""
    counts = Counter(key for _, one in read for key in keys_of_read(one))
    known = Counter(key for one in stored for key in keys_of_stored(one))
    by_key = {key: one for one in stored for key in keys_of_stored(one) if known[key] == 1}
    result: dict[int, Candidate] = {}
    for place, one in read:
        matches = {by_key[key] for key in keys_of_read(one) if counts[key] == 1 and key in by_key}
        if len(matches) == 1:
            result[place] = matches.pop()
    return result


def _identifiers_of_link(one: files.QuestionnaireCandidate) -> set[str]:
    curie = curie_from_url(one.link)
    return {curie, curie.partition(":")[2]} if curie else set()


def _identifiers(one: Candidate) -> set[str]:
    return {one.identifier, canonicalize(one.identifier)} if one.identifier else set()


def _order(read: files.QuestionEntry, positions: Sequence[int]) -> list[list[int]] | None:
    """The file's ranks as groups of positions, best first."""
    if len(positions) != len(read.candidates) or not positions:
        return None
    pairs = zip(read.candidates, positions, strict=True)
    ranked = sorted((one.rank, position) for one, position in pairs)
    groups = groupby(ranked, key=lambda pair: pair[0])
    return [[position for _, position in group] for _, group in groups]


def _added_fields(
    read: files.QuestionEntry, question: Question, positions: Sequence[int]
) -> Payload:
    """Fields, links and resources that the set does not have."""
    known = {one.position for one in question.candidates.all() if one.link}
    links = {
        str(position): one.link
        for one, position in zip(read.candidates, positions, strict=False)
        if one.link and position not in known
    }
    own = [{"name": one.name, "link": one.link} for one in read.resources]
    added = {name: value for name, value in read.payload().items() if name not in question.payload}
    return {
        **added,
        **({"links": links} if links else {}),
        **({"resources": own} if own and not question.resources.all() else {}),
    }
