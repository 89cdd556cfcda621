"""The leaderboard's answers; everything here is read, nothing is written."""

from rest_framework import serializers


class TrackSerializer(serializers.Serializer[object]):
    track = serializers.CharField(source="track.id")
    title = serializers.CharField(source="track.title")
    paper = serializers.CharField(source="track.paper")
    about = serializers.CharField(source="track.about")
    tables = serializers.IntegerField(source="table_count")
    entries = serializers.IntegerField()


class TrackListSerializer(serializers.Serializer[object]):
    results = TrackSerializer(many=True)


class SliceSerializer(serializers.Serializer[object]):
    key = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # a field, not the base's own label


class MetricSerializer(serializers.Serializer[object]):
    metric = serializers.CharField(source="id")
    label = serializers.CharField()  # type: ignore[assignment]  # a field, not the base's own label
    about = serializers.CharField()
    section = serializers.CharField()


class ColumnSerializer(serializers.Serializer[object]):
    key = serializers.CharField()
    slice = serializers.CharField()
    metric = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # a field, not the base's own label
    direction = serializers.ChoiceField(["higher", "lower"], allow_null=True)
    unit = serializers.CharField()
    scale = serializers.CharField()
    decimals = serializers.IntegerField()


class CellSerializer(serializers.Serializer[object]):
    column = serializers.CharField()
    value = serializers.FloatField(allow_null=True)
    text = serializers.CharField()
    place = serializers.ChoiceField(["best", "second"], allow_null=True)


class RowSerializer(serializers.Serializer[object]):
    id = serializers.CharField()
    model = serializers.CharField()
    setting = serializers.CharField()
    model_label = serializers.CharField()
    setting_label = serializers.CharField()
    provenance = serializers.ChoiceField(["published"])
    cells = CellSerializer(many=True)


class TableSerializer(serializers.Serializer[object]):
    id = serializers.CharField()
    name = serializers.CharField()
    paper = serializers.CharField()
    table = serializers.CharField()
    title = serializers.CharField()
    note = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]  # a field, not the base's own source
    source_url = serializers.CharField()
    main_slice = serializers.CharField()
    slices = SliceSerializer(many=True)
    metrics = MetricSerializer(many=True)
    columns = ColumnSerializer(many=True)
    rows = RowSerializer(many=True)


class TrackDetailSerializer(serializers.Serializer[object]):
    track = serializers.CharField(source="track.id")
    title = serializers.CharField(source="track.title")
    paper = serializers.CharField(source="track.paper")
    about = serializers.CharField(source="track.about")
    entries = serializers.IntegerField()
    tables = TableSerializer(many=True)
