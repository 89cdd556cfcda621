"""Jobs that test the metapaths of two entities: on a large graph, one test takes minutes."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import partial
from http import HTTPStatus
from typing import Any, Self

from django.db import transaction

from backend.accounts.models import User
from backend.common.errors import DomainError
from backend.graphs.graph_access import OpenGraph, open_version_snapshot
from backend.graphs.metapath_tests import MetapathTests
from backend.graphs.models import Version
from backend.graphs.policies import may_read_graph
from backend.jobs.context import JobContext
from backend.jobs.models import Job
from backend.jobs.registry import JobRequest, is_owner_or_administrator
from backend.jobs.services import RequestedJob, request_job

METAPATH_TEST = "metapath-test"  # the kind of jobs
TEST_VERSION = 2  # a change of the test makes the same request a new one
MOST_DRAWS = 10_000
DEFAULT_HOPS = 2
MOST_ACTIVE = 1  # of one person: tests and RNS jobs wait for each other


@dataclass(frozen=True)
class MetapathChoice:
    """Two entities by the graph's identifiers.

    metapath: the key of the only one to test; empty for those of the most paths of at most `hops`
    steps, which is then the number of its steps.
    """

    source: str
    target: str
    metapath: str
    hops: int
    draws: int
    seed: int

    @classmethod
    def checked(cls, opened: OpenGraph, query: Mapping[str, Any]) -> Self:
        """Of a validated query. Raises NotFound and DomainError."""
        ends = query["from"], query["to"]
        for end in ends:
            opened.entity_number_or_raise(end)
        tests = MetapathTests.between(opened.snapshot, ends, query["draws"], query["seed"])
        key = query["metapath"]
        hops = len(tests.parse(key).steps) if key else query["hops"]
        return cls(*ends, key, hops, query["draws"], query["seed"])

    def request(self, version: Version) -> JobRequest:
        identity = {"test": TEST_VERSION, "version": version.pk, **asdict(self)}
        digest = hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()
        # Not about the version: somebody's test does not keep an owner from deleting a graph.
        return JobRequest(METAPATH_TEST, identity, digest)


def request_metapath_test(
    *, actor: User, opened: OpenGraph, choice: MetapathChoice
) -> RequestedJob:
    """The same test is made once. Raises DomainError where the actor has many that wait or run."""
    with transaction.atomic():
        User.objects.select_for_update().get(pk=actor.pk)
        requested = request_job(owner=actor, request=choice.request(opened.version))
        active = Job.objects.active().filter(kind=METAPATH_TEST, owner=actor).count()
        if requested.is_new and active > MOST_ACTIVE:
            raise DomainError(
                "You have a test that waits or runs. Cancel it, or wait for its end.",
                code="too_many_tests",
                status=HTTPStatus.CONFLICT,
            )
    return requested


def find_metapath_test(version: Version, choice: MetapathChoice) -> Job | None:
    """The latest job of this test."""
    digest = choice.request(version).digest
    jobs = Job.objects.filter(kind=METAPATH_TEST, digest=digest)
    job: Job | None = jobs.order_by("-created_at").first()
    return job


def may_see_metapath_test(user: User, job: Job) -> bool:
    """Whoever may read the graph: the result is of nothing else. Its owner, once it is deleted."""
    version = Version.objects.select_related("graph").filter(pk=job.parameters["version"]).first()
    if version is None:
        return is_owner_or_administrator(user, job)
    return may_read_graph(user, version.graph)


def run_metapath_test(context: JobContext) -> dict[str, Any]:
    parameters = context.job.parameters
    version = Version.objects.filter(pk=parameters["version"]).first()
    if version is None:
        raise DomainError("The graph of this job was deleted.", code="unknown_graph")
    choice = MetapathChoice(**{name: parameters[name] for name in MetapathChoice.__annotations__})
    context.report_progress("finding metapaths", 0, is_forced=True)
    tests = MetapathTests.between(
        open_version_snapshot(version),
        (choice.source, choice.target),
        choice.draws,
        choice.seed,
        context.cancellation,
    )
    key = choice.metapath
    search = tests.count(tests.parse(key)) if key else tests.find(choice.hops)
    family = None if key else tests.count_family(choice.hops)
    report = partial(context.report_progress, "drawing graphs")
    return {
        "metapaths": tests.run(search.metapaths, family, report),
        "family": family,
        "other_paths": search.other_paths,
        "is_complete": search.is_complete,
    }
