"""What callers send of runs of language models: settings, budgets, and what lists are to have."""

from typing import Any

from rest_framework import serializers

from backend.evaluation.api.budget_field import BudgetField
from backend.evaluation.runs.run_limits import MOST_ACTIVE_RUNS
from backend.evaluation.runs.run_settings import MOST_ITEMS, MOST_SAMPLES
from backend.graphs.snapshots.dated_view import MAX_DATE
from backend.llm.calls import Outcome
from backend.tracks.serenqa_exploration.guided_state import MOST_EDGES_OF_NODE
from backend.tracks.serenqa_exploration.track import MOST_AT_LEVEL
from backend.tracks.serenqa_roots import LEVELS

CURSOR = r"^(dev|test):[0-9]{1,9}$"


class RunSettingsSerializer(serializers.Serializer[Any]):
    temperature = serializers.FloatField(min_value=0, max_value=2, required=False)
    max_items = serializers.IntegerField(min_value=1, max_value=MOST_ITEMS, required=False)
    split = serializers.ChoiceField(
        ["dev", "test"], required=False, help_text="Both, if it is left out."
    )
    cutoff = serializers.IntegerField(
        min_value=1,
        max_value=MAX_DATE,
        required=False,
        help_text="A PMID, or a year in the unit of the graph's dates. Nothing later is shown. "
        "Never later than that of the release.",
    )
    papers = serializers.SlugField(
        max_length=100, required=False, help_text="A public collection; the largest if left out."
    )
    paper_ranker = serializers.ChoiceField(
        ["bm25", "hybrid"],
        required=False,
        help_text="How papers are found: by words, or by words and vectors.",
    )
    ranker = serializers.ChoiceField(
        ["bm25", "vss", "multi-vss", "hybrid"],
        required=False,
        help_text="Whose first twenty entities are put in order.",
    )
    relations = serializers.IntegerField(
        min_value=1,
        max_value=100,
        required=False,
        help_text="That a guided exploration may follow from each entity.",
    )
    edges = serializers.IntegerField(
        min_value=1,
        max_value=MOST_EDGES_OF_NODE,
        required=False,
        help_text="That it is offered of each entity, the strongest first.",
    )
    width = serializers.IntegerField(
        min_value=1,
        max_value=MOST_AT_LEVEL,
        required=False,
        help_text="Entities that it may visit at each level.",
    )
    depth = serializers.IntegerField(
        min_value=1, max_value=LEVELS, required=False, help_text="Its levels."
    )
    without_summaries = serializers.BooleanField(
        required=False, help_text="No description of a level is in a later prompt."
    )
    without_weights = serializers.BooleanField(
        required=False, help_text="Edges are drawn, and no prompt has a weight."
    )
    seed = serializers.IntegerField(
        min_value=0,
        max_value=2**53 - 1,
        required=False,
        help_text="Of the draws where no edge has a score.",
    )
    sample = serializers.IntegerField(
        min_value=1,
        max_value=MOST_SAMPLES,
        required=False,
        help_text="Number of a repeated answer to the same items, at a temperature above 0. "
        "Boards do not rank them.",
    )


class NewRunSerializer(serializers.Serializer[Any]):
    release = serializers.SlugField(max_length=100)
    endpoint = serializers.UUIDField()
    task = serializers.CharField(max_length=80)
    model = serializers.SlugField(max_length=120, help_text="A registered model of yours.")
    settings = RunSettingsSerializer(required=False)
    samples = serializers.IntegerField(
        min_value=2,
        max_value=MOST_ACTIVE_RUNS,
        required=False,
        help_text="So many answers to each item, a run for each: all are made, or none. The answer "
        "is the first. At a temperature above 0, and without settings.sample.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "samples" in attrs and "sample" in attrs.get("settings", {}):
            raise serializers.ValidationError({"samples": "Leave out this or settings.sample."})
        return attrs


class RunBudgetSerializer(serializers.Serializer[Any]):
    budget = BudgetField()


class RaisedBudgetSerializer(serializers.Serializer[Any]):
    budget = BudgetField(
        required=False,
        allow_null=True,
    )


class AnswerFilterSerializer(serializers.Serializer[Any]):
    outcome = serializers.ChoiceField(
        [one.value for one in Outcome], required=False, allow_blank=True, default=""
    )
    item = serializers.CharField(max_length=300, required=False, allow_blank=True, default="")
    cursor = serializers.RegexField(
        CURSOR,
        required=False,
        allow_blank=True,
        default="",
        help_text="As `next` has it.",
    )
    limit = serializers.IntegerField(min_value=1, max_value=100, required=False, default=20)


class RunFilterSerializer(serializers.Serializer[Any]):
    release = serializers.SlugField(max_length=100, required=False, allow_blank=True, default="")
