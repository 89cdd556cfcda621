from argparse import ArgumentParser
from typing import Any

from annotation.methods_section import write_methods
from annotation.study_releases import find_release_or_raise
from backend.common.command_utils import JsonCommand, Output


class Command(JsonCommand):
    help = "The methods section of a paper about a frozen study, in Markdown."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("release", metavar="RELEASE_OR_STUDY", help="the name of either")
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> Output:
        release = find_release_or_raise(options["release"])
        text = write_methods(release)
        return {"release": release.slug, "study": release.study.name, "text": text}, [text]
