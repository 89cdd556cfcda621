import time
from argparse import ArgumentParser

import httpx
from django.core.management.base import BaseCommand

from backend.config.embedded.errors import ServiceError
from backend.config.local_model import ask_first_question, wait_until_served


class Command(BaseCommand):
    help = "Wait for a local model, ask it one question, and register it as the endpoint 'local'."
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
            answer = ask_first_question(url, model.name)
        except httpx.HTTPError as error:
            raise ServiceError(f"The model at {url} does not answer ({error}).") from error
        waited, speed = time.monotonic() - began, answer.tokens / answer.seconds
        self.stdout.write(
            f"Local model: first answer after {waited:.1f} s, {speed:.0f} tokens a second "
            f"({model.name}, {model.parameters / 1e6:.0f} million parameters)."
        )
