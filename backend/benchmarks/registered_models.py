"""Writes to models: registered by their owner, or by a command."""

import uuid
from collections.abc import Iterable, Mapping

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from backend.accounts.models import User
from backend.accounts.teams import get_team_or_raise
from backend.benchmarks.models import Model
from backend.benchmarks.policies import may_submit
from backend.common.errors import Conflict, NotAllowed, NotFound
from backend.common.slugs import unused_slug

RESERVED_PREFIXES = ("baseline:", "simulated ")


@transaction.atomic
def register_model(
    *, actor: User | None, name: str, for_team: bool = False, **fields: object
) -> Model:
    """Raises NotAllowed, NotFound without a team, or Conflict if a model has this name."""
    if actor is not None and not may_submit(actor):
        raise NotAllowed("Only researchers register models. Ask an administrator for this role.")
    if actor is not None and name.lower().startswith(RESERVED_PREFIXES):
        message = "Names of this beginning are reserved for Serendib. Choose another name."
        raise Conflict(message, code="name_reserved")
    taken = Conflict(f"A model '{name}' exists. Choose another name.", code="name_taken")
    if Model.objects.filter(name__iexact=name).exists():
        raise taken
    slug = unused_slug(Model.objects.all(), name, "model")
    team = get_team_or_raise(actor) if actor is not None and for_team else None
    try:
        with transaction.atomic():
            return Model.objects.create(name=name, slug=slug, owner=actor, team=team, **fields)
    except IntegrityError as error:  # registered by someone else at the same moment
        raise taken from error


def get_or_create_model(name: str) -> Model:
    """The model of this name, for commands: they submit for any model."""
    model = Model.objects.filter(name=name).first()
    return model or register_model(actor=None, name=name)


def get_own_model_or_raise(actor: User, slug: str) -> Model:
    """Administrators may name any model. Raises NotFound."""
    models = Model.objects.all() if actor.is_administrator else Model.objects.owned_by(actor.pk)
    model = models.filter(slug=slug).first()
    if model is None:
        raise NotFound(f"You have no model '{slug}'. Register it first.")
    return model


def list_models(model_ids: Iterable[uuid.UUID]) -> None:
    """Make models public: a result of each is."""
    unlisted = Model.objects.filter(pk__in=list(model_ids), listed_at=None)
    unlisted.update(listed_at=timezone.now())


def visible_models(user: User | None) -> QuerySet[Model]:
    """Models with a public result, the user's own, and those submitted to the user's releases."""
    if user is not None and user.is_administrator:
        return Model.objects.all()
    public = Q(listed_at__isnull=False)
    if user is None:
        return Model.objects.filter(public)
    own = Q(pk__in=Model.objects.owned_by(user.pk).values("pk"))
    # By the name of the relation: submissions are of a package above this one.
    received = Model.objects.filter(submissions__release__created_by=user)
    return Model.objects.filter(public | own | Q(pk__in=received.values("pk")))


def change_model(*, model: Model, fields: Mapping[str, object]) -> Model:
    for name, value in fields.items():
        setattr(model, name, value)
    model.save(update_fields=[*fields])
    return model
