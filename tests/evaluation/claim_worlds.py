"""Batches of groundings whose truth is known, and experts who know it."""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from annotation.kinds.registry import get_kind_or_raise
from annotation.models import Action, Assignment
from annotation.pool import lease_questions
from annotation.presentations import build_item_of
from annotation.responses import ResponseWrite, write_response
from backend.accounts.models import User
from backend.evaluation.models import (
    ChosenClaim,
    ClaimVerdict,
    GroundedClaim,
    Grounding,
    GroundingState,
)
from backend.studies.models import Study
from tests.evaluation.grounding_worlds import GroundingWorld
from tests.personas import Person, make_person

VERSION = "scripted-1"
MENTIONS = (
    [{"identifier": "X:aspirin", "type": "Drug"}, {"identifier": "X:cox1", "type": "Gene"}],
    [{"identifier": "X:aspirin", "type": "Drug"}],
)
Judge = Callable[[GroundedClaim], str]


@dataclass(frozen=True)
class ScriptedClaim:
    """probability: of the verdict 'supported'; None for a verifier without one."""

    is_true: bool
    is_supported: bool
    probability: float | None = None


def claims_of_rates(
    rng: np.random.Generator, count: int, *, truth: float, false: float, missed: float
) -> list[ScriptedClaim]:
    """Exactly these shares of `count` claims, in random order. false: of the false claims those
    that the verifier supports; missed: of the true ones those that it does not."""
    true = round(count * truth)
    rows = [ScriptedClaim(True, at >= round(true * missed)) for at in range(true)]
    others = count - true
    rows += [ScriptedClaim(False, at < round(others * false)) for at in range(others)]
    return [rows[at] for at in rng.permutation(count)]


def unsure_claims(rng: np.random.Generator, count: int) -> list[ScriptedClaim]:
    """A calibrated verifier: true with the probability that it states for 'supported'."""
    rates = rng.beta(0.6, 0.6, count)
    return [
        ScriptedClaim(bool(rng.random() < rate), bool(rate >= 0.5), float(rate)) for rate in rates
    ]


def truth_of(claim: GroundedClaim) -> bool:
    return claim.text.startswith("True")


def make_batch(
    world: GroundingWorld,
    owner: User | None,
    claims: Sequence[ScriptedClaim],
    *,
    per_rationale: Sequence[int] = (3,),
    undefined: int = 0,
    is_public: bool = False,
) -> uuid.UUID:
    """Rationales whose numbers of claims repeat `per_rationale`, and those without a claim."""
    batch, at, line = uuid.uuid4(), 0, 0
    has_probability = any(one.probability is not None for one in claims)
    while at < len(claims):
        size = per_rationale[line % len(per_rationale)]
        _ground(world, owner, batch, line + 1, claims[at : at + size], has_probability, is_public)
        at, line = at + size, line + 1
    for extra in range(undefined):
        _ground(world, owner, batch, line + 1 + extra, [], has_probability, is_public)
    return batch


def _ground(
    world: GroundingWorld,
    owner: User | None,
    batch: uuid.UUID,
    line: int,
    claims: Sequence[ScriptedClaim],
    is_model: bool,
    is_public: bool,
) -> None:
    supported = sum(one.is_supported for one in claims)
    share = supported / len(claims) if claims else None
    counts = {"supported": supported, "contradicted": 0, "claims": len(claims), "share": share}
    grounding = Grounding.objects.create(
        owner=owner,
        batch=batch,
        line=line,
        rationale="A rationale.",
        version=world.version,
        collection=world.collection,
        literature={"name": "P", "slug": world.collection.slug, "digest": ""},
        verifier="model" if is_model else "plain",
        model="scripted" if is_model else "",
        verifier_version=VERSION,
        state=GroundingState.ENDED,
        groundedness={"both": counts},
        is_public=is_public,
    )
    for number, one in enumerate(claims, start=1):
        claim = GroundedClaim.objects.create(
            grounding=grounding,
            number=number,
            text=f"{one.is_true} claim {number} of rationale {line}.",
            mentions=MENTIONS[number % 2],
            context={"papers": ["5", "6"], "edges": [0, 1], "edges_between": 1},
        )
        support = one.probability
        probability = support if one.is_supported or support is None else 1 - support
        verdict = "supported" if one.is_supported else "not_enough"
        stated = {"probability": probability, "support": support}
        ClaimVerdict.objects.create(claim=claim, source="both", verdict=verdict, **stated)


def judge_truth(claim: GroundedClaim) -> str:
    return "supported" if truth_of(claim) else "contradicted"


def judge_claims(
    study: Study, expert: User, verdict: Judge = judge_truth, most: int = 10_000
) -> int:
    """Let the expert answer what the study has for them, `most` answers altogether."""
    chosen = ChosenClaim.objects.filter(in_batch__claim_study=study.pk).select_related("claim")
    by_question = {one.question_id: one.claim for one in chosen}
    kind, count = get_kind_or_raise(study.kind), 0
    while leased := lease_questions(actor=expert, study_id=study.id, count=10):
        rows = Assignment.objects.filter(pk__in=[one.pk for one in leased]).with_item()
        open_rows = [*rows.exclude(response__submitted_number__gt=0)]
        if not open_rows:
            break
        for one in open_rows:
            if count == most:
                return count
            payload = kind.initial_answer(build_item_of(one)).model_dump()
            payload["verdict"] = outcome = verdict(by_question[one.question_id])
            write = ResponseWrite(version=0, action=Action.SUBMIT, outcome=outcome, payload=payload)
            write_response(actor=expert, assignment_id=one.pk, write=write)
            count += 1
    return count


def make_coordinator(name: str) -> Person:
    person = make_person(name)
    person.user.is_coordinator = True
    person.user.save(update_fields=["is_coordinator"])
    return person
