"""The accounts of the site with their studies, as administrators search them."""

from typing import Literal

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from backend.accounts.models import User
from backend.studies.models import Member

RoleFilter = Literal["", "administrator", "researcher", "coordinator", "expert", "none", "closed"]


def search_people(*, search: str = "", role: RoleFilter = "") -> QuerySet[User]:
    """Accounts with the text in their name or address, and the role on the site or in a study."""
    members = Member.objects.select_related("study").order_by("study__name", "role")
    people = User.objects.prefetch_related(Prefetch("memberships", members)).filter(_has_role(role))
    if search:
        people = people.filter(Q(name__icontains=search) | Q(email__icontains=search))
    return people


def _has_role(role: RoleFilter) -> Q:
    matches: dict[RoleFilter, Q] = {
        "": Q(),
        "administrator": Q(is_administrator=True),
        "researcher": Q(is_researcher=True),
        "coordinator": Q(is_coordinator=True) | Q(_has_membership(Member.Role.COORDINATOR)),
        "expert": Q(_has_membership(Member.Role.EXPERT)),
        "none": Q(is_administrator=False, is_researcher=False, is_coordinator=False)
        & ~Q(_has_membership()),
        "closed": Q(is_active=False, is_simulated=False),
    }
    return matches[role]


def _has_membership(*roles: str) -> Exists:
    members = Member.objects.filter(user=OuterRef("pk"))
    return Exists(members.filter(role__in=roles) if roles else members)
