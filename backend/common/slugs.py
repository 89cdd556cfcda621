"""Short names for addresses."""

from django.db.models import Model, QuerySet
from django.utils.text import slugify

MAX_SLUG_LENGTH = 80


def unused_slug(rows: QuerySet[Model], name: str, default: str) -> str:
    """A slug of the name that no row has, with a number if necessary; of `default` if empty.

    The caller must expect that another transaction takes it first.
    """
    base = slugify(name)[:MAX_SLUG_LENGTH].strip("-_") or default
    taken = set(rows.filter(slug__startswith=base).values_list("slug", flat=True))
    number, slug = 2, base
    while slug in taken:
        number, slug = number + 1, f"{base}-{number}"
    return slug
