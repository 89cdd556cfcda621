"""Run the tool calls of a session again, and list the results that differ."""

import uuid
from argparse import ArgumentParser
from collections import Counter
from dataclasses import asdict
from typing import Any

from backend.common.command_utils import JsonCommand, Output
from backend.common.errors import NotFound
from backend.evaluation.models import ToolSession
from backend.evaluation.tool_replay import replay_session

EXPLANATIONS = {
    "differs": "differs: the result is not the one of then",
    "ended_by_time": "ended_by_time: the result differs, as a time limit had ended the search",
    "not_compared": "not_compared: the call was interrupted, or its arguments were not stored",
}


class Command(JsonCommand):
    help = "Run the tool calls of a session again on its graph, and compare the results' digests."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("session", type=uuid.UUID, metavar="ID")

    def run(self, options: dict[str, Any]) -> Output:
        rows = ToolSession.objects.select_related("release", "version__graph")
        session = rows.filter(pk=options["session"]).first()
        if session is None:
            raise NotFound("There is no session of this id.")
        calls = list(replay_session(session))
        counts = Counter(one.comparison for one in calls)
        changed = [one for one in calls if one.comparison != "same"]
        payload = {
            "session": str(session.pk),
            "release": session.release.slug,
            "snapshot": session.version.snapshot,
            "calls": len(calls),
            "same": counts["same"],
            "others": [asdict(one) for one in changed],
        }
        lines = [f"{counts['same']:,} of {len(calls):,} results are the same."]
        lines += [
            f"call {one.number}, {one.tool}: {EXPLANATIONS[one.comparison]}" for one in changed
        ]
        return payload, lines
