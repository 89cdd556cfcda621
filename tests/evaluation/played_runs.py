"""Runs of the scripted server from a request to the board, by the API and the queues alone."""

import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import connection
from pytest_django.plugin import DjangoDbBlocker
from rest_framework.test import APIClient

from backend.benchmarks.registered_models import register_model
from backend.evaluation.models.runs import Run
from backend.llm.models import Call, Endpoint, StoredText
from tests.empty_tables import empty_tables
from tests.llm.factories import make_endpoint
from tests.llm.scripted_server import Logged, Script, ScriptedServer
from tests.personas import make_person
from tests.queue_worker import queue_worker


@contextmanager
def committed_data(blocker: DjangoDbBlocker) -> Iterator[None]:
    """For fixtures of a module: the ledger has a connection of its own, which reads what is
    committed. All tables are emptied at the end."""
    with blocker.unblock():
        assert connection.settings_dict["NAME"].startswith("test_")
        try:
            yield
        finally:
            empty_tables()


@dataclass(frozen=True)
class Ended:
    """A run that has ended. row: of the board, as a visitor reads it."""

    run: Run
    log: list[Logged]
    row: dict[str, Any]

    @property
    def prompts(self) -> list[str]:
        """As the ledger has them."""
        digests = Call.objects.filter(budget__subject=self.run.subject).values("prompt")
        rows = StoredText.objects.filter(digest__in=digests)
        return [bytes(one.content).decode() for one in rows]


def send(client: APIClient, path: str, body: Any) -> Any:
    key = {"Idempotency-Key": str(uuid.uuid4())}
    answer = client.post(f"/api/v1/runs{path}", body, format="json", headers=key)
    assert answer.status_code in (200, 201), answer.content
    return answer.json()


def play(
    slug: str, task: str, script: Script, settings: Mapping[str, Any], **endpoint_fields: Any
) -> Ended:
    """From the request of a researcher to the board, by nothing but the API and the queues."""
    person = make_person(f"{task}-{uuid.uuid4().hex}", is_researcher=True)
    model = register_model(actor=person.user, name=f"Model of {person.user.email}")
    fields = {"usable_by": Endpoint.UsableBy.EVERYONE, **endpoint_fields}
    with ScriptedServer(script) as server, queue_worker() as work:
        endpoint = make_endpoint(server.url, person.user.email, **fields)
        body = {"release": slug, "endpoint": str(endpoint.pk), "task": task}
        created = send(person.browser, "", {**body, "model": model.slug, "settings": settings})
        work()
        send(person.browser, f"/{created['id']}/start", {"budget": "1"})
        work()
        shown = person.browser.get(f"/api/v1/runs/{created['id']}").json()
        assert shown["state"] == "ended", shown["error"]
        board = APIClient().get(f"/api/v1/boards/{slug}?split=test").json()
    (row,) = (one for one in board["results"] if one["submission"] == shown["submission"])
    return Ended(Run.objects.get(pk=created["id"]), server.log, row)
