"""Costs of runs by task and model, as the API has them."""

from typing import Any

from rest_framework import serializers

from backend.evaluation.api.run_request_serializers import RunFilterSerializer


class CostFilterSerializer(RunFilterSerializer):
    own = serializers.BooleanField(
        required=False, default=False, help_text="Of your own runs, unpublished ones among them."
    )


class CostTaskSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    title = serializers.CharField()


class CostReleaseSerializer(serializers.Serializer[Any]):
    slug = serializers.CharField()
    title = serializers.CharField()


class ModelCostSerializer(serializers.Serializer[Any]):
    release = CostReleaseSerializer()
    task = CostTaskSerializer()
    model = serializers.CharField()
    parameters = serializers.IntegerField(allow_null=True)
    runs = serializers.IntegerField()
    items = serializers.IntegerField()
    calls = serializers.IntegerField()
    tokens_in = serializers.IntegerField()
    tokens_out = serializers.IntegerField()
    tokens_in_per_item = serializers.FloatField()
    tokens_out_per_item = serializers.FloatField()
    cost = serializers.CharField()
    cost_per_item = serializers.CharField()


class ModelCostListSerializer(serializers.Serializer[Any]):
    results = ModelCostSerializer(many=True)
