from typing import Any, get_args

from rest_framework import serializers

from backend.benchmarks.models import Partition
from backend.benchmarks.rns.options import CHOICES, RnsOptions
from backend.benchmarks.rns.question_results import QuestionOrder, QuestionResult
from backend.benchmarks.rns.set_scoring import MAX_ENTITIES, Percentiles
from backend.common.serializers import serializer_of, shadowing_field
from backend.graphs.api.operations_schema import MAX_ID_LENGTH, ExactCharField, PathSerializer
from backend.graphs.api.serializers import EntitySummarySerializer
from backend.science.embeddings.evaluation import NEGATIVES, Auc
from backend.science.embeddings.exact_ranks import RankSummary
from backend.science.rns.calibration import PartTest
from backend.science.rns.greedy_swaps import TIE_TOLERANCE
from backend.science.rns.measures import Weights
from backend.tracks.serenqa_patterns import Pattern, PatternEdge

MAX_PATHS = 10


def choice_field(name: str) -> serializers.ChoiceField:
    return serializers.ChoiceField(CHOICES[name], default=getattr(RnsOptions(), name))


class RnsOptionsQuery(serializers.Serializer[object]):
    direction = choice_field("direction")
    dangling = choice_field("dangling")
    support = choice_field("support")
    novelty = choice_field("novelty")
    method = choice_field("method")
    weighted = serializers.BooleanField(default=False)


WeightsSerializer = serializer_of(Weights)


class RnsQuery(RnsOptionsQuery):
    existing = serializers.ListField(
        child=ExactCharField(max_length=MAX_ID_LENGTH), max_length=MAX_ENTITIES
    )
    serendipity = serializers.ListField(
        child=ExactCharField(max_length=MAX_ID_LENGTH), max_length=MAX_ENTITIES
    )
    weights = WeightsSerializer(required=False)
    percentile = serializers.BooleanField(default=False)


class RnsParametersSerializer(RnsOptionsQuery):
    hops = serializers.IntegerField()
    damping = serializers.FloatField()
    precision = serializers.ChoiceField(["float64", "float32"])


class ScorePartsSerializer(serializers.Serializer[object]):
    relevance = serializers.FloatField()
    novelty = serializers.FloatField()
    mutual_information = serializers.FloatField()
    surprise = serializers.FloatField()


class EntityScoresSerializer(ScorePartsSerializer):
    id = serializers.CharField()
    total = serializers.FloatField()


class SetMemberSerializer(EntitySummarySerializer):
    set = serializers.ChoiceField(["existing", "serendipity"])
    embedded = serializers.BooleanField()
    marginal = serializers.FloatField()


AucSerializer = serializer_of(Auc)


class LinkPredictionSerializer(serializers.Serializer[object]):
    negatives = serializers.ChoiceField(NEGATIVES)
    n = serializers.IntegerField()
    left_out = serializers.IntegerField()
    embedding = AucSerializer()
    degree_product = AucSerializer()


RankSummarySerializer = serializer_of(RankSummary)


class LinkRanksSerializer(serializers.Serializer[object]):
    embedding = RankSummarySerializer()
    degree_product = RankSummarySerializer()


class EmbeddingSerializer(serializers.Serializer[object]):
    method = serializers.ChoiceField(CHOICES["method"])
    dimensions = serializers.IntegerField()
    without_vector = serializers.IntegerField()
    aucs = LinkPredictionSerializer(many=True)
    ranks = LinkRanksSerializer(allow_null=True)


PercentileSerializer = serializer_of(Percentiles, "Percentile")


class RnsScoresSerializer(ScorePartsSerializer):
    snapshot = serializers.CharField()
    surprise_error = serializers.FloatField()
    total = serializers.FloatField()
    weights = WeightsSerializer()
    entities = SetMemberSerializer(many=True)
    p3 = serializers.ListField(child=serializers.ListField(child=serializers.FloatField()))
    marginal = serializers.ListField(child=serializers.FloatField())
    bars = EntityScoresSerializer(many=True)
    marginal_error = serializers.FloatField()
    parameters = RnsParametersSerializer()
    embedding = EmbeddingSerializer()
    percentile = PercentileSerializer(allow_null=True)


class ExplanationQuery(serializers.Serializer[object]):
    order = serializers.ChoiceField(["probability", "degree"], default="probability")
    limit = serializers.IntegerField(min_value=1, max_value=MAX_PATHS, default=3)


class PrintedPathSerializer(PathSerializer):
    notation = serializers.CharField()


class PairExplanationSerializer(serializers.Serializer[object]):
    existing = EntitySummarySerializer()
    serendipity = EntitySummarySerializer()
    existing_position = serializers.IntegerField(required=False)
    serendipity_position = serializers.IntegerField(required=False)
    total = serializers.IntegerField()
    shown = serializers.IntegerField()
    capped = serializers.BooleanField()
    summary = serializers.CharField()
    paths = PrintedPathSerializer(many=True)


class ExplanationsSerializer(serializers.Serializer[object]):
    snapshot = serializers.CharField()
    order = serializers.ChoiceField(["probability", "degree"])
    formula = serializers.CharField()
    pairs = PairExplanationSerializer(many=True)


class VersionNameSerializer(serializers.Serializer[object]):
    slug = serializers.CharField(source="graph.slug")
    name = serializers.CharField(source="graph.name")
    snapshot = serializers.CharField()
    number = serializers.IntegerField()


class QuestionSetSerializer(serializers.Serializer[object]):
    id = serializers.UUIDField(source="set.id")
    name = serializers.CharField(source="set.name")
    is_demo = serializers.BooleanField(source="set.is_demo")
    questions = serializers.IntegerField()
    public = serializers.BooleanField(source="set.public")
    is_manager = serializers.BooleanField(help_text="You may start computations of the set.")
    is_owner = serializers.BooleanField(help_text="You may make a study of the set.")
    graphs = VersionNameSerializer(many=True)
    methods = serializers.DictField(child=serializers.IntegerField())


class QuestionSetListSerializer(serializers.Serializer[object]):
    results = QuestionSetSerializer(many=True)


class QuestionSummarySerializer(serializers.Serializer[object]):
    id = serializers.UUIDField()
    file_id = serializers.CharField()
    batch_number = serializers.IntegerField(help_text="0 where the set has no batches.")
    number = serializers.IntegerField()
    text = serializers.CharField()
    category = serializers.CharField(allow_blank=True)
    pattern_type = serializers.CharField(allow_blank=True)
    candidates = serializers.IntegerField()
    public = serializers.BooleanField()
    methods = serializers.ListField(child=serializers.ChoiceField(Partition.Method.choices))
    result = serializer_of(QuestionResult)()


class QuestionFilterSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(
        default="",
        allow_blank=True,
        max_length=120,
        help_text="In the question or the name of one of its candidates.",
    )
    order = serializers.ChoiceField(
        get_args(QuestionOrder),
        default="file",
        help_text="weights: those first whose choice the weights change most. "
        "methods: those first on which the methods disagree most.",
    )
    offset = serializers.IntegerField(min_value=0, max_value=1_000_000, default=0)
    limit = serializers.IntegerField(min_value=1, max_value=200, default=50)


class QuestionPageSerializer(serializers.Serializer[Any]):
    """next: the address of the next page; null on the last."""

    next = serializers.CharField(allow_null=True)
    matching = serializers.IntegerField(help_text="Questions that the filter leaves.")
    results = QuestionSummarySerializer(many=True)


class QuestionSetNameSerializer(serializers.Serializer[object]):
    id = serializers.UUIDField()
    name = serializers.CharField()


class PatternNodeSerializer(serializers.Serializer[object]):
    nid = serializers.IntegerField()
    id = serializers.CharField(allow_blank=True)
    name = serializers.CharField(allow_blank=True)
    is_target = serializers.BooleanField()
    variable = serializers.BooleanField(source="is_variable")

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """'class' is a reserved word in Python, so the field cannot be declared."""
        return {"class": serializers.CharField(source="type"), **super().get_fields()}


PatternEdgeSerializer = serializer_of(PatternEdge)


PatternSerializer = serializer_of(
    Pattern, nodes=PatternNodeSerializer(many=True), edges=PatternEdgeSerializer(many=True)
)


class WorkbenchQuestionSerializer(serializers.Serializer[object]):
    id = serializers.UUIDField(source="question.id")
    file_id = serializers.CharField(source="question.file_id")
    batch_number = serializers.IntegerField(
        source="question.batch_number", help_text="0 where the set has no batches."
    )
    number = serializers.IntegerField(source="question.number")
    text = serializers.CharField(source="question.text")
    category = serializers.CharField(source="question.category", allow_blank=True)
    pattern_type = serializers.CharField(source="question.pattern_type", allow_blank=True)
    set_size = serializers.IntegerField()
    previous = serializers.UUIDField(allow_null=True)
    next = serializers.UUIDField(allow_null=True)
    set = QuestionSetNameSerializer(source="question.question_set")
    pattern = PatternSerializer(allow_null=True)


class WorkbenchQuery(RnsOptionsQuery):
    graph = serializers.SlugField(required=False, max_length=100)
    snapshot = serializers.CharField(required=False, max_length=200)
    size = serializers.IntegerField(min_value=1, max_value=MAX_ENTITIES, required=False)


class WorkbenchCandidateSerializer(serializers.Serializer[object]):
    position = serializers.IntegerField()
    name = serializers.CharField()
    prior_rank = serializers.IntegerField()
    entity = EntitySummarySerializer(allow_null=True)
    embedded = serializers.BooleanField()
    bar = ScorePartsSerializer(allow_null=True)


class ArrayField(serializers.ListField):
    """A numpy array, which needs no conversion number by number."""

    def to_representation(self, data: Any) -> Any:
        return data.tolist()


class SplitsSerializer(serializers.Serializer[object]):
    exact = serializers.BooleanField()
    count = serializers.IntegerField()
    order = serializers.ListField(child=serializers.IntegerField())
    sets = ArrayField(
        child=serializers.ListField(child=serializers.IntegerField()), source="splits.splits"
    )
    relevance = ArrayField(child=serializers.FloatField(), source="splits.relevance")
    novelty = ArrayField(child=serializers.FloatField(), source="splits.novelty")
    mutual_information = ArrayField(
        child=serializers.FloatField(), source="splits.mutual_information"
    )
    surprise = ArrayField(child=serializers.FloatField(), source="splits.surprise")
    error = serializers.FloatField(source="splits.error")
    gain = serializers.SerializerMethodField()

    def get_gain(self, _scored: object) -> float:
        return TIE_TOLERANCE


class PartitionSerializer(serializers.Serializer[object]):
    method = serializers.ChoiceField(Partition.Method.choices)
    number = serializers.IntegerField()
    source = shadowing_field(serializers.CharField(allow_blank=True))
    parameters = serializers.DictField()
    serendipity = serializers.ListField(child=serializers.IntegerField())
    existing = serializers.ListField(child=serializers.IntegerField())
    created_at = serializers.DateTimeField()


class ComparisonSerializer(serializers.Serializer[object]):
    one = serializers.ChoiceField(Partition.Method.choices)
    other = serializers.ChoiceField(Partition.Method.choices)
    candidates = serializers.IntegerField()
    overlap = serializers.FloatField()
    chance = serializers.FloatField()
    tau_b = serializers.FloatField(allow_null=True)
    differ = serializers.ListField(child=serializers.IntegerField())


class WeightPresetSerializer(serializers.Serializer[object]):
    name = serializers.ChoiceField(["equal", "relevance", "novelty", "surprise", "calibrated"])
    weights = WeightsSerializer()


PartTestSerializer = serializer_of(PartTest)


class CalibrationSerializer(serializers.Serializer[object]):
    weights = WeightsSerializer()
    learned = serializers.BooleanField()
    parts = PartTestSerializer(many=True)
    agreement = AucSerializer()
    chance = serializers.FloatField()
    equal = serializers.FloatField()
    folds = serializers.IntegerField()
    n = serializers.IntegerField()


class GraphNameSerializer(serializers.Serializer[object]):
    slug = serializers.CharField(source="graph.slug")
    name = serializers.CharField(source="graph.name")
    number = serializers.IntegerField()


class WorkbenchSerializer(serializers.Serializer[object]):
    snapshot = serializers.CharField(source="version.snapshot")
    graph = GraphNameSerializer(source="version")
    public = serializers.BooleanField()
    question = WorkbenchQuestionSerializer()
    candidates = WorkbenchCandidateSerializer(many=True)
    left_out = serializers.ListField(child=serializers.IntegerField())
    size = serializers.IntegerField(allow_null=True)
    splits = SplitsSerializer(allow_null=True)
    partitions = PartitionSerializer(many=True)
    comparisons = ComparisonSerializer(many=True)
    presets = WeightPresetSerializer(many=True)
    calibration = CalibrationSerializer(allow_null=True)
    parameters = RnsParametersSerializer()
    embedding = EmbeddingSerializer(allow_null=True)


class SetsFile(RnsOptionsQuery):
    file = serializers.FileField(allow_empty_file=True)
