"""Models that are evaluated: public to read, registered by researchers."""

from http import HTTPStatus
from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor, get_actor_or_raise
from backend.accounts.api.token_authentication import TOKEN_OR_SESSION
from backend.benchmarks.api.release_serializers import (
    ModelChangeSerializer,
    ModelSerializer,
    NewModelSerializer,
)
from backend.benchmarks.models import Model
from backend.benchmarks.registered_models import (
    change_model,
    register_model,
    visible_models,
)
from backend.common.errors import NotFound
from backend.common.openapi import operation
from backend.common.serializers import validate


class ModelFilterSerializer(serializers.Serializer[Any]):
    own = serializers.BooleanField(default=False, help_text="Yours and your team's alone.")


class Models(ListAPIView[Model]):
    authentication_classes = TOKEN_OR_SESSION
    permission_classes = [IsAuthenticatedOrReadOnly]
    serializer_class = ModelSerializer

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "user": get_actor(self.request)}

    def get_queryset(self) -> QuerySet[Model]:
        actor = get_actor(self.request)
        chosen = validate(ModelFilterSerializer(data=self.request.query_params))
        if chosen["own"]:
            return Model.objects.owned_by(actor.pk) if actor else Model.objects.none()
        return visible_models(actor)

    @operation("models_list", ModelSerializer(many=True), parameters=[ModelFilterSerializer])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Your models, and those that have a result on a public board."""
        return super().get(request, *args, **kwargs)

    @operation("models_create", ModelSerializer, 409, status=201, request=NewModelSerializer)
    def post(self, request: Request) -> Response:
        """Register a model of yours, to submit its predictions."""
        actor = get_actor_or_raise(request)
        fields = validate(NewModelSerializer(data=request.data))
        model = register_model(actor=actor, **fields)
        payload = ModelSerializer(model, context={"user": actor}).data
        return Response(payload, status=HTTPStatus.CREATED)


class ModelDetail(APIView):
    authentication_classes = TOKEN_OR_SESSION
    permission_classes = [IsAuthenticatedOrReadOnly]

    @operation("models_read", ModelSerializer)
    def get(self, request: Request, slug: str) -> Response:
        actor = get_actor(request)
        model = visible_models(actor).filter(slug=slug).first()
        if model is None:
            raise NotFound("This model does not exist, or you may not see it.")
        return Response(ModelSerializer(model, context={"user": actor}).data)

    @operation("models_change", ModelSerializer, 409, request=ModelChangeSerializer)
    def patch(self, request: Request, slug: str) -> Response:
        """Correct what is written about a model of yours; its address stays."""
        actor = get_actor_or_raise(request)
        fields = validate(ModelChangeSerializer(data=request.data))
        version = fields.pop("version")
        model = change_model(actor=actor, slug=slug, version=version, fields=fields)
        return Response(ModelSerializer(model, context={"user": actor}).data)
