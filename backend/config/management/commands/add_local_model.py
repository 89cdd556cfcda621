import time
from argparse import ArgumentParser
from decimal import Decimal

import httpx
from django.core.management.base import BaseCommand

from backend.config.embedded.errors import ServiceError
from backend.config.local_model import ServedModel, request_first_answer, wait_until_served
from backend.jobs.services import request_job
from backend.llm.endpoints import set_endpoint
from backend.llm.job_kinds import probe_request
from backend.llm.models import Endpoint

NAME = "local"
IN_FLIGHT = 2  # it answers one at a time; the other is there when it has
TIMEOUT_S = 600


class Command(BaseCommand):
    help = "Wait for a local model, send it one question, and register it as the endpoint 'local'."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--url", required=True, help="Base URL of the server, ending in /v1.")
        parser.add_argument(
            "--since", type=float, help="When the server was started, by the monotonic clock."
        )

    def handle(self, *, url: str, since: float | None, **options: object) -> None:
        began = time.monotonic() if since is None else since
        try:
            model = wait_until_served(url)
            answer = request_first_answer(url, model.name)
        except httpx.HTTPError as error:
            raise ServiceError(f"The model at {url} does not answer ({error}).") from error
        endpoint = register_local_model(url, model)
        if endpoint.probed_at is None:
            request_job(owner=None, request=probe_request(endpoint))
        waited, speed = time.monotonic() - began, answer.tokens / answer.seconds
        self.stdout.write(
            f"Local model: first answer after {waited:.1f} s, {speed:.0f} tokens a second "
            f"(endpoint '{endpoint.name}', a {endpoint.size_label})."
        )


def register_local_model(url: str, model: ServedModel) -> Endpoint:
    """At its address of this start. A new one is free, and for everybody; an administrator may have
    changed that since."""
    served = {
        "base_url": url,
        "model": model.name,
        "context_tokens": model.context_tokens,
        "parameters": model.parameters,
        "is_private": True,
    }
    defaults = {
        "price_in": Decimal(0),
        "price_out": Decimal(0),
        "max_in_flight": IN_FLIGHT,
        "timeout_s": TIMEOUT_S,
        "usable_by": Endpoint.UsableBy.EVERYONE,
        "may_publish": True,
    }
    return set_endpoint(name=NAME, given=served, defaults=defaults, may_move=True)
