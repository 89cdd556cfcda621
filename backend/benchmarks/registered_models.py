"""Writes to models: registered by their owner, or by a command."""

import uuid
from collections.abc import Iterable, Mapping

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.text import slugify

from backend.accounts.models import User
from backend.accounts.teams import get_team_or_raise
from backend.benchmarks.models import Model
from backend.benchmarks.policies import may_submit, require_model_change
from backend.benchmarks.printed_models import printed_slugs
from backend.common.errors import Conflict, NotAllowed, NotFound
from backend.common.slugs import unused_slug
from backend.validation.faults import Fault

RESERVED_PREFIXES = ("baseline:", "simulated ")


@transaction.atomic
def register_model(
    *, actor: User | None, name: str, for_team: bool = False, **fields: object
) -> Model:
    """Raises NotAllowed, NotFound without a team, or Conflict if a model has this name."""
    if actor is not None and not may_submit(actor):
        raise NotAllowed("Only researchers register models. Ask an administrator for this role.")
    if actor is not None:
        _require_unreserved(name)
    if _names(name).exists():
        raise _name_taken(name)
    slug = unused_slug(Model.objects.all(), name, "model")
    team = get_team_or_raise(actor) if actor is not None and for_team else None
    try:
        with transaction.atomic():
            return Model.objects.create(name=name, slug=slug, owner=actor, team=team, **fields)
    except IntegrityError as error:  # registered by someone else at the same moment
        raise _name_taken(name) from error


def _names(name: str) -> QuerySet[Model]:
    """Models that have this name, or had it on a public board."""
    return Model.objects.filter(Q(name__iexact=name) | Q(former_names__contains=[name.lower()]))


def _name_taken(name: str) -> Conflict:
    message = f"A model '{name}' exists or had this name. Choose another name."
    return Conflict(message, code="name_taken", faults=[Fault("name", message, "name_taken")])


def _require_unreserved(name: str) -> None:
    if name.lower().startswith(RESERVED_PREFIXES):
        message = "Names of this beginning are reserved for Serendib. Choose another name."
        fault = Fault("name", message, "name_reserved")
        raise Conflict(message, code="name_reserved", faults=[fault])


def get_or_create_model(name: str) -> Model:
    """The model of this name, for commands: they submit for any model."""
    model = Model.objects.filter(name=name).first() or _names(name).first()
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


def change_model(*, actor: User, slug: str, version: int, fields: Mapping[str, object]) -> Model:
    """Correct what is written about a model. Values that are equal already are no change.

    Boards show a new name as soon as they are ranked again; the address stays.
    Raises NotFound, NotAllowed, or Conflict if it was changed since `version`.
    """
    model = get_own_model_or_raise(actor, slug)
    require_model_change(actor, model)
    try:
        with transaction.atomic():
            return _change(Model.objects.select_for_update().get(pk=model.pk), version, fields)
    except IntegrityError as error:  # the name was taken by someone else at the same moment
        raise _name_taken(str(fields.get("name", ""))) from error


def _change(model: Model, version: int, fields: Mapping[str, object]) -> Model:
    changed = {name: value for name, value in fields.items() if getattr(model, name) != value}
    if not changed:
        return model
    if model.version != version:
        message = "This model was changed since you loaded it. Load it again, then correct it."
        raise Conflict(message, code="stale_version", data={"version": model.version})
    if "name" in changed:
        _rename(model, str(changed["name"]))
    for name, value in changed.items():
        setattr(model, name, value)
    model.version += 1
    model.save(update_fields=[*changed, "former_names", "version"])
    return model


def _rename(model: Model, name: str) -> None:
    """A name that a public board showed stays the model's, so that it never leads to another."""
    if model.is_baseline or model.is_simulated:
        message = "Baselines and simulated models keep their names."
        raise Conflict(message, code="name_fixed", faults=[Fault("name", message, "name_fixed")])
    _require_unreserved(name)
    if _names(name).exclude(pk=model.pk).exists() or _is_printed_name(model, name):
        raise _name_taken(name)
    if model.listed_at is not None and model.name.lower() not in model.former_names:
        model.former_names = [*model.former_names, model.name.lower()]


def _is_printed_name(model: Model, name: str) -> bool:
    slug = slugify(name)
    return slug != model.slug and slug in printed_slugs()
