"""Writes of syntheses: requested, begun again, drawn, advanced step by step, stored as a set."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Any

from django.db import transaction

from backend.accounts.models import User
from backend.benchmarks.models import QuestionSet
from backend.common.errors import Conflict, DomainError, NotFound
from backend.evaluation.models.paid_requests import RequestState
from backend.evaluation.models.syntheses import QuerySynthesis, SynthesisVerifier
from backend.evaluation.paid_requests import (
    digest_of,
    find_of_command,
    queue_request,
    require_payable,
    resume_of_command,
    resume_request,
)
from backend.graphs.models import Version
from backend.llm.budgets import open_budget
from backend.llm.models import Endpoint
from backend.tracks.synthesis_tasks import MOST_PROPERTIES, SYNTHESIS_TASKS
from backend.validation.faults import Fault

SYNTHESIZE = "synthesize_queries"  # kind of job
MOST_QUERIES, MOST_REQUESTED = 1_000, 200  # of a command, of a request of the API
MOST_VERIFIERS = 5
LIMITS = {
    "count": (1, MOST_QUERIES),
    "most_answers": (1, 100),
    "hard": (1, MOST_PROPERTIES),
    "soft": (0, MOST_PROPERTIES),
}
LONGEST_NAME = 200
PROMPT_VERSION = ".".join(one.prompt.version for one in SYNTHESIS_TASKS)


@dataclass(frozen=True)
class SynthesisSettings:
    """name: of the question set. verifiers: in the order in which they check."""

    version: Version
    name: str
    writer: Endpoint
    rewriter: Endpoint
    verifiers: Sequence[Endpoint]
    budget: Decimal = Decimal(0)
    count: int = 20
    seed: int = 0
    most_answers: int = 20  # as in STaRK-Prime
    hard: int = 2
    soft: int = 1

    @property
    def endpoints(self) -> list[Endpoint]:
        return [self.writer, self.rewriter, *self.verifiers]

    def fields(self) -> dict[str, Any]:
        """Of the row."""
        names = ("version", "name", "writer", "rewriter", "count", "seed", *[*LIMITS][1:])
        own = {name: getattr(self, name) for name in names}
        return {**own, "prompt_version": PROMPT_VERSION}


@transaction.atomic
def request_synthesis(
    *,
    actor: User | None,
    settings: SynthesisSettings,
    owner: User | None = None,
    digest: str = "",
    is_local: bool = False,
) -> QuerySynthesis:
    """Queue it as one job. actor: None for a command, whose question set is for `owner`.

    Raises DomainError for settings out of range, Conflict `set_exists` if the name is taken, and
    what require_payable does.
    """
    require_settings(settings)
    require_new_set(settings.name)
    require_payable(actor, settings.endpoints, settings.budget)
    synthesis = QuerySynthesis.objects.create(
        owner=actor, set_owner=actor or owner, digest=digest, **settings.fields()
    )
    SynthesisVerifier.objects.bulk_create(
        SynthesisVerifier(synthesis=synthesis, number=number, endpoint=one)
        for number, one in enumerate(settings.verifiers, 1)
    )
    open_budget(subject=synthesis.subject, amount=settings.budget, owner=actor)
    return queue_synthesis(synthesis, is_local=is_local)


def require_settings(settings: SynthesisSettings) -> None:
    """Raises DomainError that names each member at fault."""
    faults = [
        Fault(name, f"This is between {least} and {most}.", name)
        for name, (least, most) in LIMITS.items()
        if not least <= getattr(settings, name) <= most
    ]
    if not settings.name.strip() or len(settings.name) > LONGEST_NAME:
        faults.append(Fault("name", f"A name has 1 to {LONGEST_NAME} characters.", "name"))
    if not 1 <= len(settings.verifiers) <= MOST_VERIFIERS:
        message = f"Between 1 and {MOST_VERIFIERS} endpoints verify."
        faults.append(Fault("verifiers", message, "verifiers"))
    elif len({one.pk for one in settings.verifiers}) < len(settings.verifiers):
        faults.append(Fault("verifiers", "Each endpoint verifies once.", "verifiers"))
    if faults:
        raise DomainError(faults[0].message, code=faults[0].code, faults=faults)


def require_new_set(name: str) -> None:
    under_way = QuerySynthesis.objects.filter(name=name, state=RequestState.QUEUED)
    if under_way.exists() or QuestionSet.objects.filter(name=name).exists():
        message = "A question set of this name exists. Choose another name."
        raise Conflict(message, code="set_exists")


def find_free_name(name: str) -> str:
    """The name, or with the first number that no set has: paid work is stored in any case."""
    names = (name, *(f"{name[: LONGEST_NAME - 5]} ({number})" for number in range(2, 1_000)))
    known = set(QuestionSet.objects.filter(name__in=names).values_list("name", flat=True))
    return next(one for one in names if one not in known)


def queue_synthesis(synthesis: QuerySynthesis, *, is_local: bool = False) -> QuerySynthesis:
    subjects = [f"graph-version:{synthesis.version_id}", *map(subject_of, endpoints_of(synthesis))]
    return queue_request(synthesis, SYNTHESIZE, subjects=subjects, is_local=is_local)


def subject_of(endpoint: Endpoint) -> str:
    return f"endpoint:{endpoint.pk}"


def endpoints_of(synthesis: QuerySynthesis) -> Iterable[Endpoint]:
    """Each once."""
    verifiers = (one.endpoint for one in synthesis.verifiers.select_related("endpoint"))
    return {one.pk: one for one in (synthesis.writer, synthesis.rewriter, *verifiers)}.values()


def run_again(
    *, settings: SynthesisSettings, owner: User | None = None, resumes: bool
) -> QuerySynthesis:
    """For a command: what an equal one began. One that has ended is returned as it is.

    Raises NotFound where there is nothing to resume, Conflict where there is and `resumes` is not
    set, and what resume_of_command does.
    """
    own = {name: str(getattr(value, "pk", value)) for name, value in settings.fields().items()}
    digest = digest_of([sorted(own.items()), [str(one.pk) for one in settings.verifiers]])
    synthesis = find_of_command(QuerySynthesis, digest)
    if synthesis is None:
        if resumes:
            raise NotFound("No such synthesis has stopped. Run it without --resume.")
        return request_synthesis(
            actor=None, settings=settings, owner=owner, digest=digest, is_local=True
        )
    if synthesis.state != RequestState.ENDED and not resumes:
        message = "This synthesis has begun before. Go on with --resume."
        raise Conflict(message, code="synthesis_began")
    return resume_of_command(synthesis, settings.budget, partial(queue_synthesis, is_local=True))


def resume_synthesis(*, synthesis: QuerySynthesis, budget: Decimal) -> QuerySynthesis:
    """Raises what resume_request does."""
    endpoints = [*endpoints_of(synthesis)]
    return resume_request(synthesis, budget=budget, endpoints=endpoints, queue=queue_synthesis)
