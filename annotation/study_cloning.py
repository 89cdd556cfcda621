"""A new draft with the design, the questions and the texts of another study."""

import uuid
from dataclasses import fields

from django.db import transaction

from annotation.eligibility import is_ruled
from annotation.imports import create_study, get_checked_name
from annotation.models import Batch, BatchQuestion, KnownAnswer
from annotation.presentations import design_of
from annotation.study_creation import MAX_REPEAT_SHARE, Design, require_new_name, set_design
from annotation.study_graph import pin_to_study
from backend.accounts.models import User
from backend.benchmarks.policies import require_set_owner
from backend.benchmarks.study_links import question_set_of
from backend.common.errors import Conflict
from backend.graphs.study_links import pinned_version
from backend.studies.guidelines import newest_guidelines, publish_guidelines
from backend.studies.models import Study
from backend.studies.policies import get_coordinated_study_or_raise


@transaction.atomic
def clone_study(*, actor: User, study_id: uuid.UUID, name: str) -> Study:
    """The actor is its only member. No answer of an expert, invitation or assignment is copied; its
    seed is a new one, so that experts of both get different draws.

    The actor must own the set. Raises Conflict if the name is taken, and for a study with a rule on
    its experts, such as that entrants of a board do not judge its answers: it is not copied.
    """
    origin = get_coordinated_study_or_raise(actor, study_id)
    questions = question_set_of(origin)
    require_set_owner(actor, questions)
    if is_ruled(origin.id):
        sentence = "The rule who may judge this study would not hold for a copy."
        raise Conflict(f"{sentence} Make a new study where it was made.", code="study_has_rule")
    require_new_name(get_checked_name(name))
    clone, _ = create_study(actor, name, origin.kind, question_set=questions, is_draft=True)
    clone.description, clone.contact = origin.description, origin.contact or clone.contact
    clone.save(update_fields=["description", "contact"])
    newest = newest_guidelines(origin.id)
    if newest is not None:
        publish_guidelines(
            actor=actor, study_id=clone.id, text=newest.text, must_be_read=newest.must_be_read
        )
    for batch in origin.batches.order_by("number"):
        _copy_batch(batch, clone)
    # Last: a qualification needs the known answers.
    design = design_of(origin)
    names = {one.name for one in fields(Design)} - {"seed"}
    copied = {name: getattr(design, name) for name in names}
    # Older studies could repeat more.
    copied["repeat_share"] = min(design.repeat_share, MAX_REPEAT_SHARE)
    set_design(clone, Design(**copied))
    return pin_to_study(actor=actor, study=clone, version=pinned_version(origin))


def _copy_batch(batch: Batch, clone: Study) -> None:
    copied = Batch.objects.create(
        study=clone, number=batch.number, name=batch.name, needed_tags=batch.needed_tags
    )
    entries = BatchQuestion.objects.bulk_create(
        BatchQuestion(batch=copied, question_id=one.question_id, payload=one.payload)
        for one in batch.entries.order_by("id")
    )
    by_question = {one.question_id: one for one in entries}
    KnownAnswer.objects.bulk_create(
        KnownAnswer(
            entry=by_question[known.entry.question_id],
            payload=known.payload,
            explanation=known.explanation,
        )
        for known in KnownAnswer.objects.filter(entry__batch=batch).select_related("entry")
    )
