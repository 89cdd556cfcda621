from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from annotation.judge_answers import import_judge
from backend.common.command_utils import JsonCommand, Output
from backend.common.errors import DomainError
from backend.common.pluralize import pluralize
from backend.studies.lookup import get_study_by_name_or_raise


class Command(JsonCommand):
    lists_faults_of = "judge"
    help = (
        "Import the answers of a model judge to the questions of a study, from JSON Lines. They "
        "stand apart from those of experts, and replace the answers of an earlier file under the "
        "judge's name. If the file has an error, nothing is imported."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY", help="the study's name")
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--judge", required=True, metavar="NAME", help="the model's name")
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> Output:
        study = get_study_by_name_or_raise(options["study"])
        try:
            file = options["file"].open("rb")
        except OSError as error:
            sentence = f"The file cannot be read: {error.strerror}."
            raise DomainError(sentence, code="not_found") from error
        with file:
            imported = import_judge(actor=None, study_id=study.id, name=options["judge"], file=file)
        answers = pluralize(imported.answers, "answer")
        questions = pluralize(imported.questions, "question")
        line = f"Judge '{imported.name}': {answers} to {questions}; replaced: {imported.replaced}."
        record = {**asdict(imported), "imported_at": imported.imported_at.isoformat()}
        return {"study": study.name, **record}, [line]
