"""Reports of faulty items: sent by anyone signed in, decided by the organiser."""

import uuid
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle, ScopedRateThrottle
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor_or_raise
from backend.accounts.models import User
from backend.benchmarks.item_reports import decide_report, report_item
from backend.benchmarks.models import ItemReport, Release, ReleaseSplit
from backend.benchmarks.policies import get_release_or_raise, is_organiser
from backend.common.errors import NotFound
from backend.common.openapi import operation
from backend.common.serializers import serializer_of, validate
from backend.evaluation.touched_entries import TouchedEntries, find_touched_entries

TouchedEntriesSerializer = serializer_of(TouchedEntries)
TEXT = 2_000


@extend_schema_field(
    {
        "type": "array",
        "minItems": 1,
        "maxItems": 10,
        "items": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
    }
)
class ItemKeyField(serializers.Field[Any, Any, Any, Any]):
    """An item's key of the data set: its texts and whole numbers."""

    def to_internal_value(self, data: Any) -> list[str | int]:
        parts = data if isinstance(data, list) else []
        if not 0 < len(parts) <= 10 or not all(type(part) in (str, int) for part in parts):
            raise serializers.ValidationError("Send the key as a list of texts or numbers.")
        return parts

    def to_representation(self, value: Any) -> Any:
        return value


class NewItemReportSerializer(serializers.Serializer[Any]):
    item = ItemKeyField(help_text="The key of the item, such as [12] or two identifiers.")
    kind = serializers.ChoiceField(ItemReport.Kind.choices)
    text = serializers.CharField(max_length=TEXT)


class ReportDecisionSerializer(serializers.Serializer[Any]):
    state = serializers.ChoiceField([ItemReport.State.ACCEPTED, ItemReport.State.DISMISSED])
    reply = serializers.CharField(max_length=TEXT, allow_blank=True, default="")


class ItemReportSerializer(serializers.Serializer[ItemReport]):
    """reporter, answer, entries: for the organiser, else null. answer: of dev items alone, for
    answers to test items are hidden."""

    id = serializers.UUIDField()
    item = serializers.SerializerMethodField()
    content = serializers.DictField(source="item.content")
    split = serializers.ChoiceField(ReleaseSplit.choices, source="item.split")
    kind = serializers.ChoiceField(ItemReport.Kind.choices)
    text = serializers.CharField()
    state = serializers.ChoiceField(ItemReport.State.choices)
    reply = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()
    decided_at = serializers.DateTimeField(allow_null=True)
    is_own = serializers.SerializerMethodField()
    reporter = serializers.SerializerMethodField()
    answer = serializers.SerializerMethodField()
    entries = serializers.SerializerMethodField()

    @extend_schema_field(ItemKeyField())
    def get_item(self, report: ItemReport) -> list[str | int]:
        return report.item.key_parts

    def get_is_own(self, report: ItemReport) -> bool:
        return bool(report.reporter_id == self.context["user"].pk)

    def get_reporter(self, report: ItemReport) -> str | None:
        return (report.reporter.name or report.reporter.email) if self._touched else None

    @extend_schema_field(serializers.DictField(allow_null=True))
    def get_answer(self, report: ItemReport) -> Any:
        is_public = self._touched and report.item.split == ReleaseSplit.DEV
        return report.item.hidden_answer.content if is_public else None

    @extend_schema_field(TouchedEntriesSerializer(allow_null=True))
    def get_entries(self, report: ItemReport) -> Any:
        if not self._touched:
            return None
        return TouchedEntriesSerializer(self._touched[report.item_id]).data

    @property
    def _touched(self) -> Mapping[int, TouchedEntries]:
        """Empty for all but organisers."""
        touched: Mapping[int, TouchedEntries] = self.context["touched"]
        return touched


def serialized(user: User, release: Release, reports: list[ItemReport]) -> list[dict[str, Any]]:
    touched: Mapping[int, TouchedEntries] = {}
    if is_organiser(user, release):
        touched = find_touched_entries(release, {one.item for one in reports})
    context = {"user": user, "touched": touched}
    return [dict(ItemReportSerializer(one, context=context).data) for one in reports]


class ItemReports(ListAPIView[ItemReport]):
    serializer_class = ItemReportSerializer
    throttle_scope = "item_report"

    def get_throttles(self) -> list[BaseThrottle]:
        return [ScopedRateThrottle()] if self.request.method == "POST" else []

    def get_queryset(self) -> QuerySet[ItemReport]:
        actor = get_actor_or_raise(self.request)
        release = get_release_or_raise(actor, self.kwargs["slug"])
        reports = ItemReport.objects.of_release(release).select_related("item", "reporter")
        if is_organiser(actor, release):
            return reports.select_related("item__hidden_answer")
        return reports.filter(reporter=actor)

    @operation("releases_reports", ItemReportSerializer(many=True))
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Your reports of a release, the latest first; all of them for its organiser."""
        actor = get_actor_or_raise(request)
        release = get_release_or_raise(actor, kwargs["slug"])
        page = self.paginate_queryset(self.get_queryset()) or []
        return self.get_paginated_response(serialized(actor, release, list(page)))

    @operation(
        "releases_report_item",
        ItemReportSerializer,
        404,
        409,
        429,
        status=201,
        request=NewItemReportSerializer,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Report an item of a public release by its key."""
        actor = get_actor_or_raise(request)
        release = get_release_or_raise(actor, slug)
        form = validate(NewItemReportSerializer(data=request.data))
        report = report_item(
            actor=actor, release=release, key=form["item"], kind=form["kind"], text=form["text"]
        )
        (payload,) = serialized(actor, release, [report])
        return Response(payload, status=HTTPStatus.CREATED)


class ItemReportDetail(APIView):
    @operation("releases_decide_report", ItemReportSerializer, request=ReportDecisionSerializer)
    def patch(self, request: Request, slug: str, report_id: uuid.UUID) -> Response:
        """Accept or dismiss a report, with a reply to whoever sent it."""
        actor = get_actor_or_raise(request)
        release = get_release_or_raise(actor, slug)
        report = get_report_or_raise(actor, release, report_id)
        form = validate(ReportDecisionSerializer(data=request.data))
        report = decide_report(actor=actor, report=report, **form)
        (payload,) = serialized(actor, release, [report])
        return Response(payload)


def get_report_or_raise(actor: User, release: Release, report_id: uuid.UUID) -> ItemReport:
    """Raises NotFound for a report that the actor may not see."""
    report = ItemReport.objects.of_release(release).filter(pk=report_id).first()
    if report is None or not (report.reporter_id == actor.pk or is_organiser(actor, release)):
        raise NotFound("This report does not exist, or you may not see it.")
    return report
