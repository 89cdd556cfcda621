"""Invitations to a study with batches, and what accepting one brings."""

import uuid
from collections.abc import Collection, Mapping, Sequence

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction

from annotation.assignments import assign_batches, get_batches_or_raise
from annotation.departures import restore_leases
from annotation.models import Batch, BatchQuestion
from annotation.presentations import design_of
from annotation.progress import EXPECTED_ANSWER_MS
from annotation.work_estimate import describe_duration, describe_questions, describe_work
from backend.accounts.invitation_email import compose_invitation
from backend.accounts.invitations import AlreadyInvited
from backend.accounts.mail_delivery import send_all
from backend.accounts.models import Invitation, User, normalize_email
from backend.common.errors import DomainError
from backend.common.pluralize import pluralize
from backend.studies.invitations import invite_member, join_study
from backend.studies.models import Member, Study
from backend.validation.faults import Fault, printable

MAX_ADDRESSES = 100
MAX_MESSAGE_LENGTH = 2_000

InvitationWithToken = tuple[Invitation, str]


class AddressesInvalid(DomainError):
    code = "addresses_invalid"


@transaction.atomic
def invite_to_study(
    *,
    actor: User,
    study_id: uuid.UUID,
    email: str,
    role: str,
    batch_ids: Collection[uuid.UUID] = (),
    message: str = "",
    tags: Sequence[str] = (),
) -> InvitationWithToken:
    """The invitation and its token. An expert invited without batches gets all there are."""
    invited, token = invite_member(
        actor=actor, study_id=study_id, email=email, role=role, message=message, tags=tags
    )
    invited.batches.set(_batches_for(invited.study, role, batch_ids))
    return invited.invitation, token


@transaction.atomic
def invite_all_to_study(
    *,
    actor: User,
    study_id: uuid.UUID,
    emails: Sequence[str],
    role: str,
    batch_ids: Collection[uuid.UUID] = (),
    message: str = "",
    tags: Sequence[str] = (),
) -> list[InvitationWithToken]:
    """Invite all addresses or none; an address that is repeated is invited once.

    Raises AddressesInvalid with a fault for every address that cannot be invited.
    """
    places: dict[str, int] = {}
    for place, email in enumerate(emails):
        places.setdefault(normalize_email(email), place)
    members = Member.objects.filter(study=study_id, role=role).values_list("user__email", flat=True)
    faults = {it: fault for it in places if (fault := _address_fault(it, members)) is not None}
    created: dict[str, InvitationWithToken] = {}
    for email in sorted(places.keys() - faults.keys()):  # sorted: each address is locked
        try:
            created[email] = invite_to_study(
                actor=actor,
                study_id=study_id,
                email=email,
                role=role,
                batch_ids=batch_ids,
                message=message,
                tags=tags,
            )
        except AlreadyInvited:
            sentence = f"{email} already has an open invitation. Send it again from the list."
            faults[email] = Fault("", sentence, AlreadyInvited.code)
    if faults:
        raise _addresses_invalid(places, faults)
    return [created[email] for email in places]


def _address_fault(email: str, members: Collection[str]) -> Fault | None:
    try:
        validate_email(email)
    except ValidationError:
        sentence = f"'{printable(email)}' is not an e-mail address."
        return Fault("", sentence, "invalid", "an address such as ada@hospital.example")
    if email in members:
        return Fault("", f"{email} is in this study already.", "is_member")
    return None


def _addresses_invalid(places: Mapping[str, int], faults: Mapping[str, Fault]) -> AddressesInvalid:
    ordered = sorted((places[email], fault) for email, fault in faults.items())
    return AddressesInvalid(
        f"Nobody was invited: {pluralize(len(faults), 'address', 'addresses')} cannot be invited.",
        faults=[
            Fault(f"emails[{place}]", one.message, one.code, one.expected) for place, one in ordered
        ],
    )


def send_invitations(invitations: Sequence[InvitationWithToken]) -> list[bool]:
    """Send the e-mails; whether each was accepted for delivery. Call it after the transaction."""
    return send_all(
        [
            compose_invitation(
                invitation,
                token,
                study_name=invitation.for_study.study.name,
                work=_describe_work(invitation),
                message=invitation.for_study.message,
            )
            for invitation, token in invitations
        ]
    )


def _describe_work(invitation: Invitation) -> str:
    """The part of an expert's invitation that is about the questions; empty for other roles."""
    if invitation.role != Member.Role.EXPERT:
        return ""
    batches = invitation.for_study.batches.all()
    questions = BatchQuestion.objects.filter(batch__in=batches).values("question").distinct()
    count = questions.count()
    if not count:
        return ""
    study = invitation.for_study.study
    if design_of(study).overlap is not None:
        # Nobody answers all questions of a pool, and how many are left changes with every answer.
        amount = f"One question takes about {describe_duration(EXPECTED_ANSWER_MS)}."
    else:
        amount = describe_questions(count, count * EXPECTED_ANSWER_MS)
    return describe_work(study, amount)


@transaction.atomic
def join_with_batches(invitation: Invitation, user: User) -> Member | None:
    """What accepting an invitation to a study brings: the role, and for an expert the batches."""
    member = join_study(invitation=invitation, user=user)
    if member is not None and member.role == Member.Role.EXPERT:
        named = Batch.objects.filter(invitations__invitation=invitation)
        batches = list(named) or list(member.study.batches.all())
        assign_batches(study=member.study, expert=user, batches=batches, actor=None)
        if member.returns and member.consented_at is None:  # back by this invitation
            restore_leases(member.study, user)
    return member


def _batches_for(study: Study, role: str, batch_ids: Collection[uuid.UUID]) -> list[Batch]:
    if role == Member.Role.COORDINATOR:
        return []
    return get_batches_or_raise(study, batch_ids) if batch_ids else list(study.batches.all())
