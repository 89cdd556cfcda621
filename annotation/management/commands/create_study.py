from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.db import transaction

from annotation.coordinator_invites import Coordinator, check_coordinator_email, ensure_coordinator
from annotation.imports import import_study
from annotation.kinds.registry import get_kind_or_raise
from annotation.models import BatchQuestion, StudyDesign
from annotation.study_creation import (
    CreatedStudy,
    Design,
    create_study_from_set,
    require_new_name,
    set_design,
)
from backend.benchmarks.file_discovery import read_source_files
from backend.benchmarks.rns.lookup import get_set_by_name_or_raise
from backend.common.command_utils import JsonCommand, Output, parse_seed, parse_share, progress_bar
from backend.common.errors import DomainError
from backend.common.pluralize import pluralize


class Command(JsonCommand):
    lists_faults_of = "study"
    has_files_last = True
    help = (
        "Create a study: of the questions of a set, of questionnaire files, or of files that join "
        "a set. With an overlap its experts take questions from a pool; without one they are "
        "assigned whole batches."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("kind", metavar="KIND", help="study kind, such as ranking")
        parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="file or folder")
        parser.add_argument("--name", required=True, help="the study's name")
        parser.add_argument(
            "--coordinator", required=True, help="e-mail address; invited if unknown"
        )
        parser.add_argument("--question-set", metavar="SET", help="its name or id")
        parser.add_argument("--overlap", type=int, metavar="K", help="experts for each question")
        parser.add_argument(
            "--hidden-share", type=parse_share, metavar="P", help="share of items without the prior"
        )
        parser.add_argument(
            "--arm",
            type=_arm_share,
            action="append",
            default=[],
            metavar="ARM.LEVEL=P",
            help="share of items under a level, such as order.reversed=0.5 or evidence.hidden=0.3",
        )
        parser.add_argument(
            "--adaptive-share",
            type=parse_share,
            default=0,
            metavar="P",
            help="share of a pool's draws that take the question which informs most, up to 0.8",
        )
        parser.add_argument("--seed", type=parse_seed, help="of everything drawn by chance")
        parser.add_argument(
            "--draft", action="store_true", help="experts see nothing until it is opened"
        )
        parser.add_argument(
            "--repeat-share",
            type=parse_share,
            default=0,
            metavar="P",
            help="share (at most 0.1) of an expert's answered questions that comes again later",
        )
        parser.add_argument(
            "--gold-share",
            type=parse_share,
            default=0.05,
            metavar="P",
            help="share of questions with a known answer, where the files have any",
        )
        parser.add_argument(
            "--gold-feedback",
            choices=StudyDesign.GoldFeedback.values,
            default=StudyDesign.GoldFeedback.NEVER,
            help="when experts learn whether they were right",
        )
        parser.add_argument(
            "--qualification",
            type=int,
            nargs=2,
            default=(0, 0),
            metavar=("ITEMS", "RIGHT"),
            help="questions with a known answer that come first, and how many must be right",
        )
        parser.add_argument("--graph", default="", metavar="SLUG[@VERSION]")
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> Output:
        get_kind_or_raise(options["kind"])
        if not options["files"] and not options["question_set"]:
            sentence = "Name questionnaire files, --question-set, or both to join the set."
            raise DomainError(sentence, code="no_source")
        faults = check_coordinator_email(options["coordinator"])
        if faults:
            raise DomainError("This address cannot coordinate the study.", faults=faults)
        with transaction.atomic():
            create = _create_from_files if options["files"] else _create_from_set
            created = create(options)
            coordinator = ensure_coordinator(
                actor=None, study=created.study, email=options["coordinator"]
            )
        return _as_json(created, coordinator), _lines(created, coordinator)


def _arm_share(typed: str) -> tuple[str, str, float]:
    name, _, share = typed.partition("=")
    arm, _, level = name.partition(".")
    try:
        return arm, level, parse_share(share)
    except ArgumentTypeError as error:
        raise ArgumentTypeError(f"{error}: order.reversed=0.5") from None


def _design(options: dict[str, Any]) -> Design:
    share = options["hidden_share"]
    arm_shares: dict[str, dict[str, float]] = {} if share is None else {"prior": {"hidden": share}}
    for arm, level, part in options["arm"]:
        arm_shares.setdefault(arm, {})[level] = part
    names = (
        *("overlap", "seed", "adaptive_share", "repeat_share"),
        *("gold_share", "gold_feedback"),
    )
    items, minimum = options["qualification"]
    return Design(
        arm_shares=arm_shares,
        qualification_items=items,
        qualification_minimum=minimum,
        **{name: options[name] for name in names},
    )


def _create_from_set(options: dict[str, Any]) -> CreatedStudy:
    return create_study_from_set(
        actor=None,
        name=options["name"],
        question_set=get_set_by_name_or_raise(options["question_set"]),
        kind=options["kind"],
        graph=options["graph"],
        is_draft=options["draft"],
        design=_design(options),
    )


def _create_from_files(options: dict[str, Any]) -> CreatedStudy:
    require_new_name(options["name"])
    named = options["question_set"]
    sources, faults = read_source_files(options["files"])
    with progress_bar("questions") as progress:
        imported = import_study(
            actor=None,
            name=options["name"],
            sources=sources,
            faults=faults,
            kind=options["kind"],
            graph=options["graph"],
            is_draft=options["draft"],
            question_set=get_set_by_name_or_raise(named) if named else None,
            progress=progress,
        )
    stored = set_design(imported.study, _design(options))
    arms = {arm.name for arm in get_kind_or_raise(options["kind"]).arms}
    entries = BatchQuestion.objects.filter(batch__study=imported.study)
    with_prior = entries.count() if "prior" in arms else 0  # its files have one for each question
    return CreatedStudy(
        imported.study, imported.batches, imported.questions, with_prior, 0, stored.seed
    )


def _lines(created: CreatedStudy, coordinator: Coordinator) -> Iterator[str]:
    yield coordinator.describe()
    questions = pluralize(created.questions, "question")
    arms = {arm.name for arm in get_kind_or_raise(created.study.kind).arms}
    shown = f", {created.with_prior:,} with an order shown first" if "prior" in arms else ""
    yield (
        f"Study '{created.study.name}': {pluralize(created.batches, 'batch', 'batches')}, "
        f"{questions}{shown}. Seed: {created.seed}."
    )
    for arm in created.undrawn_arms:
        yield f"The arm '{arm}' is not drawn: no question has what it hides."
    if created.left_out:
        yield f"Left out, because this kind cannot show them: {created.left_out:,}."


def _as_json(created: CreatedStudy, coordinator: Coordinator) -> dict[str, Any]:
    return {
        **{name: getattr(created, name) for name in ("batches", "questions", "with_prior")},
        "study": {"id": str(created.study.id), "name": created.study.name},
        "left_out": created.left_out,
        "undrawn_arms": [*created.undrawn_arms],
        "seed": created.seed,
        "coordinator": asdict(coordinator),
    }
