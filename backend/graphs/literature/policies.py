from django.db.models import Q

from backend.accounts.models import User
from backend.common.errors import NotFound
from backend.graphs.models import Collection
from backend.graphs.models.literature import CollectionQuerySet
from backend.graphs.policies import NOT_FOUND_MESSAGE


def readable_collections(user: User | None) -> CollectionQuerySet:
    """Public ones and the user's own; all for administrators. By name."""
    ready: CollectionQuerySet = Collection.objects.ready().order_by("name")
    if user is None:
        return ready.filter(is_public=True)
    if user.is_active and user.is_administrator:
        return ready
    return ready.filter(Q(is_public=True) | Q(owner=user))


def get_collection_or_raise(user: User | None, slug: str) -> Collection:
    collection = readable_collections(user).filter(slug=slug).first()
    if collection is None:
        raise NotFound(NOT_FOUND_MESSAGE)
    return collection
