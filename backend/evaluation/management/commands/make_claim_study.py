"""Make a study in which people verify claims of groundings."""

import uuid
from argparse import ArgumentParser
from typing import Any

from django.db import transaction

from annotation.coordinator_invites import check_coordinator_email, ensure_coordinator
from backend.common.command_utils import JsonCommand, Output, parse_seed
from backend.common.errors import DomainError
from backend.common.pluralize import pluralize
from backend.evaluation.grounding.claim_studies import (
    DEFAULT_CLAIMS,
    NewClaimStudy,
    make_claim_study,
)
from backend.evaluation.models.claim_studies import ClaimRule
from backend.tracks.grounding_verdicts import EvidenceSource


class Command(JsonCommand):
    help = "Make a study in which experts verify claims of grounded rationales."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "batches", nargs="+", type=uuid.UUID, metavar="BATCH", help="of groundings"
        )
        parser.add_argument("--name", required=True, metavar="N", help="of the study")
        parser.add_argument("--coordinator", required=True, metavar="EMAIL", help="of the study")
        parser.add_argument("--claims", type=int, default=DEFAULT_CLAIMS, metavar="N")
        parser.add_argument(
            "--rule", choices=ClaimRule.values, default=ClaimRule.RANDOM.value, help="of choice"
        )
        parser.add_argument(
            "--source",
            choices=[one.value for one in EvidenceSource],
            help="of the verdicts to compare with; by default the widest that there is",
        )
        parser.add_argument("--overlap", type=int, default=3, metavar="K", help="verdicts each")
        parser.add_argument("--seed", type=parse_seed, metavar="N", help="drawn by default")

    def run(self, options: dict[str, Any]) -> Output:
        if faults := check_coordinator_email(options["coordinator"]):
            raise DomainError(
                "This address cannot coordinate the study.",
                code="invalid_coordinator",
                faults=faults,
            )
        source = options["source"]
        request = NewClaimStudy(
            name=options["name"],
            claims=options["claims"],
            rule=options["rule"],
            source=EvidenceSource(source) if source else None,
            overlap=options["overlap"],
            seed=options["seed"],
        )
        with transaction.atomic():
            created = make_claim_study(actor=None, batches=options["batches"], request=request)
            coordinator = ensure_coordinator(
                actor=None, study=created.study, email=options["coordinator"]
            )
        payload = {
            "study": str(created.study.pk),
            "name": created.study.name,
            "source": created.source.value,
            "claims": created.questions,
            "seed": created.seed,
            "coordinator": coordinator.email,
        }
        lines = [
            f"{created.study.name}: {pluralize(created.questions, 'claim')} to verify, "
            f"chosen by seed {created.seed}.",
            coordinator.describe(),
        ]
        return payload, lines
