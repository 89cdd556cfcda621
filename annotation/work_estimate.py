"""What mails and pages state about open questions: how many, and how long they take."""

import math

from backend.common.pluralize import pluralize
from backend.studies.models import Study

MS_PER_MINUTE = 60_000


def describe_duration(ms: int) -> str:
    """'24 minutes', '1 hour 10 minutes', rounded up to minutes."""
    hours, minutes = divmod(max(1, math.ceil(ms / MS_PER_MINUTE)), 60)
    parts = [pluralize(hours, "hour")] if hours else []
    return " ".join(parts + ([pluralize(minutes, "minute")] if minutes else []))


def describe_questions(questions: int, ms: int) -> str:
    return f"{pluralize(questions, 'question')}, about {describe_duration(ms)}."


def describe_work(study: Study, amount: str) -> str:
    """For an expert of the study, in lines: the work, the study, its last day, the contact."""
    date = study.closes_on
    lines = [
        f"{amount} You can stop at any time.",
        study.description,
        f"Open until {date.day} {date:%B %Y}." if date else "",
        f"Write to {study.contact} about this study." if study.contact else "",
    ]
    return "\n".join(line for line in lines if line)
