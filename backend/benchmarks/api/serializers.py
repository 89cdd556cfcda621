"""What is asked of RNS and how it is answered."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from backend.benchmarks.models import Computation, Partition, Progress, Work
from backend.benchmarks.serendipity.measuring import MOST_ENTITIES
from backend.benchmarks.serendipity.options import CHOICES, Options
from backend.graphs.api.operations_schema import LONGEST_ID, Exact, PathBody
from backend.graphs.api.serializers import BriefSerializer
from backend.science.embeddings.evaluation import NEGATIVES

MOST_PATHS = 10


def chosen(name: str) -> serializers.ChoiceField:
    return serializers.ChoiceField(CHOICES[name], default=getattr(Options(), name))


class OptionsQuery(serializers.Serializer[object]):
    direction = chosen("direction")
    dangling = chosen("dangling")
    support = chosen("support")
    novelty = chosen("novelty")
    method = chosen("method")
    weighted = serializers.BooleanField(default=False)


class WeightsBody(serializers.Serializer[object]):
    relevance = serializers.FloatField()
    novelty = serializers.FloatField()
    surprise = serializers.FloatField()


class RnsQuery(OptionsQuery):
    existing = serializers.ListField(child=Exact(max_length=LONGEST_ID), max_length=MOST_ENTITIES)
    serendipity = serializers.ListField(
        child=Exact(max_length=LONGEST_ID), max_length=MOST_ENTITIES
    )
    weights = WeightsBody(required=False)
    percentile = serializers.BooleanField(default=False)


class ParametersBody(OptionsQuery):
    hops = serializers.IntegerField()
    damping = serializers.FloatField()
    precision = serializers.ChoiceField(["float64", "float32"])


class PartsBody(serializers.Serializer[object]):
    relevance = serializers.FloatField()
    novelty = serializers.FloatField()
    mutual_information = serializers.FloatField()
    surprise = serializers.FloatField()


class BarBody(PartsBody):
    id = serializers.CharField()
    total = serializers.FloatField()


class MemberBody(BriefSerializer):
    set = serializers.ChoiceField(["existing", "serendipity"])
    embedded = serializers.BooleanField()
    marginal = serializers.FloatField()


class AucBody(serializers.Serializer[object]):
    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)


class AgainstBody(serializers.Serializer[object]):
    negatives = serializers.ChoiceField(NEGATIVES)
    n = serializers.IntegerField()
    left_out = serializers.IntegerField()
    embedding = AucBody()
    degree_product = AucBody()


class EmbeddingBody(serializers.Serializer[object]):
    method = serializers.ChoiceField(CHOICES["method"])
    dimensions = serializers.IntegerField()
    without_vector = serializers.IntegerField()
    aucs = AgainstBody(many=True)


class PercentileBody(serializers.Serializer[object]):
    draws = serializers.IntegerField()
    relevance = serializers.FloatField()
    novelty = serializers.FloatField()
    surprise = serializers.FloatField()
    total = serializers.FloatField()


class RnsAnswer(PartsBody):
    snapshot = serializers.CharField()
    surprise_error = serializers.FloatField()
    total = serializers.FloatField()
    weights = WeightsBody()
    entities = MemberBody(many=True)
    p3 = serializers.ListField(child=serializers.ListField(child=serializers.FloatField()))
    marginal = serializers.ListField(child=serializers.FloatField())
    bars = BarBody(many=True)
    marginal_error = serializers.FloatField()
    parameters = ParametersBody()
    embedding = EmbeddingBody()
    percentile = PercentileBody(allow_null=True)


class ExplanationQuery(serializers.Serializer[object]):
    order = serializers.ChoiceField(["probability", "degree"], default="probability")
    limit = serializers.IntegerField(min_value=1, max_value=MOST_PATHS, default=3)


class NotedPath(PathBody):
    notation = serializers.CharField()


class PairBody(serializers.Serializer[object]):
    existing = BriefSerializer()
    serendipity = BriefSerializer()
    existing_position = serializers.IntegerField(required=False)
    serendipity_position = serializers.IntegerField(required=False)
    found = serializers.IntegerField()
    shown = serializers.IntegerField()
    capped = serializers.BooleanField()
    summary = serializers.CharField()
    paths = NotedPath(many=True)


class ExplanationAnswer(serializers.Serializer[object]):
    snapshot = serializers.CharField()
    order = serializers.ChoiceField(["probability", "degree"])
    formula = serializers.CharField()
    pairs = PairBody(many=True)


class VersionBody(serializers.Serializer[object]):
    slug = serializers.CharField()
    name = serializers.CharField()
    snapshot = serializers.CharField()
    number = serializers.IntegerField()


class QuestionSetBody(serializers.Serializer[object]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    is_demo = serializers.BooleanField()
    questions = serializers.IntegerField()
    public = serializers.BooleanField()
    hers = serializers.BooleanField(help_text="She may have all of it computed.")
    graphs = VersionBody(many=True)
    methods = serializers.DictField(child=serializers.IntegerField())


class QuestionSetList(serializers.Serializer[object]):
    results = QuestionSetBody(many=True)


class ListedQuestion(serializers.Serializer[object]):
    id = serializers.UUIDField()
    file_id = serializers.CharField()
    number = serializers.IntegerField()
    text = serializers.CharField()
    category = serializers.CharField(allow_blank=True)
    pattern_type = serializers.CharField(allow_blank=True)
    candidates = serializers.IntegerField()
    public = serializers.BooleanField()
    methods = serializers.ListField(child=serializers.ChoiceField(Partition.Method.choices))


class SetName(serializers.Serializer[object]):
    id = serializers.UUIDField()
    name = serializers.CharField()


class PatternNodeBody(serializers.Serializer[object]):
    nid = serializers.IntegerField()
    id = serializers.CharField(allow_blank=True)
    name = serializers.CharField(allow_blank=True)
    asked = serializers.BooleanField()
    variable = serializers.BooleanField()

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """'class' is a word of Python's."""
        return {"class": serializers.CharField(), **super().get_fields()}


class PatternEdgeBody(serializers.Serializer[object]):
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    relation = serializers.CharField()


class PatternBody(serializers.Serializer[object]):
    nodes = PatternNodeBody(many=True)
    edges = PatternEdgeBody(many=True)


class QuestionBody(serializers.Serializer[object]):
    id = serializers.UUIDField()
    file_id = serializers.CharField()
    number = serializers.IntegerField()
    text = serializers.CharField()
    category = serializers.CharField(allow_blank=True)
    pattern_type = serializers.CharField(allow_blank=True)
    of = serializers.IntegerField()
    previous = serializers.UUIDField(allow_null=True)
    next = serializers.UUIDField(allow_null=True)
    set = SetName()
    pattern = PatternBody(allow_null=True)


class WorkbenchQuery(OptionsQuery):
    graph = serializers.SlugField(required=False, max_length=100)
    snapshot = serializers.CharField(required=False, max_length=200)
    size = serializers.IntegerField(min_value=1, max_value=MOST_ENTITIES, required=False)


class WorkbenchCandidate(serializers.Serializer[object]):
    position = serializers.IntegerField()
    name = serializers.CharField()
    prior_rank = serializers.IntegerField()
    entity = BriefSerializer(allow_null=True)
    embedded = serializers.BooleanField()
    bar = PartsBody(allow_null=True)


class SplitsBody(serializers.Serializer[object]):
    exact = serializers.BooleanField()
    count = serializers.IntegerField()
    order = serializers.ListField(child=serializers.IntegerField())
    sets = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))
    relevance = serializers.ListField(child=serializers.FloatField())
    novelty = serializers.ListField(child=serializers.FloatField())
    mutual_information = serializers.ListField(child=serializers.FloatField())
    surprise = serializers.ListField(child=serializers.FloatField())
    error = serializers.FloatField()
    gain = serializers.FloatField()


class PartitionBody(serializers.Serializer[object]):
    method = serializers.ChoiceField(Partition.Method.choices)
    number = serializers.IntegerField()
    source = serializers.CharField(allow_blank=True)  # type: ignore[assignment]  # a field, not the base's argument
    parameters = serializers.DictField()
    serendipity = serializers.ListField(child=serializers.IntegerField())
    existing = serializers.ListField(child=serializers.IntegerField())
    created_at = serializers.DateTimeField()


class ComparisonBody(serializers.Serializer[object]):
    one = serializers.ChoiceField(Partition.Method.choices)
    other = serializers.ChoiceField(Partition.Method.choices)
    candidates = serializers.IntegerField()
    overlap = serializers.FloatField()
    chance = serializers.FloatField()
    tau_b = serializers.FloatField(allow_null=True)
    differ = serializers.ListField(child=serializers.IntegerField())


class PresetBody(serializers.Serializer[object]):
    name = serializers.ChoiceField(["equal", "relevance", "novelty", "surprise", "calibrated"])
    weights = WeightsBody()


class PartTestBody(serializers.Serializer[object]):
    part = serializers.ChoiceField(["relevance", "novelty", "surprise"])
    fitted = serializers.FloatField()
    low = serializers.FloatField()
    high = serializers.FloatField()
    spread = serializers.FloatField()
    influence = serializers.FloatField()
    p = serializers.FloatField()
    told = serializers.BooleanField()


class CalibrationBody(serializers.Serializer[object]):
    weights = WeightsBody()
    learned = serializers.BooleanField()
    parts = PartTestBody(many=True)
    agreement = AucBody()
    chance = serializers.FloatField()
    equal = serializers.FloatField()
    folds = serializers.IntegerField()
    n = serializers.IntegerField()


class GraphName(serializers.Serializer[object]):
    slug = serializers.CharField()
    name = serializers.CharField()
    number = serializers.IntegerField()


class WorkbenchAnswer(serializers.Serializer[object]):
    snapshot = serializers.CharField()
    graph = GraphName()
    public = serializers.BooleanField()
    question = QuestionBody()
    candidates = WorkbenchCandidate(many=True)
    left_out = serializers.ListField(child=serializers.IntegerField())
    size = serializers.IntegerField(allow_null=True)
    splits = SplitsBody(allow_null=True)
    partitions = PartitionBody(many=True)
    comparisons = ComparisonBody(many=True)
    presets = PresetBody(many=True)
    calibration = CalibrationBody(allow_null=True)
    parameters = ParametersBody()
    embedding = EmbeddingBody(allow_null=True)


class ComputationBody(serializers.ModelSerializer[Computation]):
    graph = serializers.CharField(source="version.graph.slug")
    snapshot = serializers.CharField(source="version.snapshot")
    kind = serializers.ChoiceField(Work.choices)
    state = serializers.ChoiceField(Progress.choices)
    parameters = serializers.DictField()
    result = serializers.DictField()

    class Meta:
        model = Computation
        fields = [
            "id",
            "kind",
            "state",
            "doing",
            "percent",
            "seconds_left",
            "graph",
            "snapshot",
            "question_set",
            "parameters",
            "fault",
            "result",
            "created_at",
            "ended_at",
        ]
        read_only_fields = fields


class ComputationList(serializers.Serializer[object]):
    results = ComputationBody(many=True)


class NewComputation(OptionsQuery):
    kind = serializers.ChoiceField([one for one in Work.values if one != Work.SCORING])
    graph = serializers.CharField(max_length=120, help_text="slug, or slug@number")
    question_set = serializers.UUIDField(required=False)
    weights = WeightsBody(required=False)
    size = serializers.IntegerField(min_value=1, max_value=MOST_ENTITIES, required=False)


class SetsFile(OptionsQuery):
    file = serializers.FileField(allow_empty_file=True)
