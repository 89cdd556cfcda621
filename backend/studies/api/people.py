from typing import Any, get_args

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from backend.accounts.api.current_user import get_actor_or_raise
from backend.accounts.api.serializers import AccountSerializer
from backend.accounts.models import User
from backend.accounts.policies import require_administrator
from backend.common.openapi import operation
from backend.common.serializers import validate
from backend.studies.models import Member
from backend.studies.people import RoleFilter, search_people


class PeopleFilterSerializer(serializers.Serializer[Any]):
    search = serializers.CharField(
        max_length=120, default="", allow_blank=True, help_text="In names and addresses."
    )
    role = serializers.ChoiceField(get_args(RoleFilter), default="", allow_blank=True)


class PersonStudySerializer(serializers.Serializer[Member]):
    id = serializers.UUIDField(source="study.id")
    name = serializers.CharField(source="study.name")
    role = serializers.ChoiceField(Member.Role.choices)


class PersonAccountSerializer(AccountSerializer):
    last_sign_in = serializers.DateTimeField(source="last_login", allow_null=True)
    studies = PersonStudySerializer(many=True, source="memberships.all")


class PeopleView(ListAPIView[User]):
    serializer_class = PersonAccountSerializer

    @operation(
        "people", PersonAccountSerializer(many=True), 403, parameters=[PeopleFilterSerializer]
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[User]:
        require_administrator(get_actor_or_raise(self.request))
        query = {name: self.request.query_params.get(name, "") for name in ("search", "role")}
        return search_people(**validate(PeopleFilterSerializer(data=query)))
