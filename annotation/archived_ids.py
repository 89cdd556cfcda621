"""The ids of an archive: stored ones differ from those of its file, which exports restore.

The study that was exported may be here as well, and an export may be imported twice, so ids of a
file cannot be used again. Each is stored with some of its bits inverted, which depend on the
study; inverting them again gives the id of the file.
"""

import uuid
from collections.abc import Callable
from typing import Any

from backend.benchmarks.models import Question
from backend.studies.models import Study, archive_of

VERSION_AND_VARIANT = (0xF << 76) | (0x3 << 62)


class ArchivedIds:
    def __init__(self, study_id: uuid.UUID) -> None:
        self._bits = uuid.uuid5(study_id, "archive").int & ~VERSION_AND_VARIANT

    def swap(self, one: uuid.UUID) -> uuid.UUID:
        """The stored id for that of the file, and the other way round."""
        return uuid.UUID(int=one.int ^ self._bits)

    def swapper(self, question: Question) -> Callable[[Any], Any]:
        """Swaps the ids of a question and its candidates, wherever JSON values have them."""
        ids = [question.id, *(one.id for one in question.candidates.all())]
        return self.swapper_of(ids)

    def swapper_of(self, ids: list[uuid.UUID]) -> Callable[[Any], Any]:
        known = {str(one): str(self.swap(one)) for one in ids}

        def swap(value: Any) -> Any:
            if isinstance(value, dict):
                return {known.get(name, name): swap(one) for name, one in value.items()}
            if isinstance(value, list):
                return [swap(one) for one in value]
            return known.get(value, value) if isinstance(value, str) else value

        return swap


def archived_ids(study: Study) -> ArchivedIds | None:
    return None if archive_of(study) is None else ArchivedIds(study.id)
