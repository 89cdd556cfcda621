"""Rank changes of a board after a correction or by a new evaluator version."""

from typing import Any

from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor
from backend.benchmarks.models import ReleaseSplit
from backend.benchmarks.policies import get_release_or_raise, visible_releases
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.common.openapi import operation
from backend.common.serializers import serializer_of, validate
from backend.leaderboard.api.board_serializers import BoardMetricSerializer, BoardModelSerializer
from backend.leaderboard.changes import BoardChange, EntryOnBoard, is_change_pending, list_changes
from backend.leaderboard.standing_pages import ROWS_PER_PAGE


class ChangesFilterSerializer(serializers.Serializer[Any]):
    split = serializers.ChoiceField(ReleaseSplit.choices, default=ReleaseSplit.TEST)
    offset = serializers.IntegerField(min_value=0, max_value=1_000_000, default=0)


class ChangedStandingSerializer(serializers.Serializer[Any]):
    release = serializers.CharField(source="release.slug")
    name = serializers.CharField(source="release.name")
    evaluator_version = serializers.CharField()
    created_at = serializers.DateTimeField()
    entries = serializers.IntegerField()


EntryOnBoardSerializer = serializer_of(EntryOnBoard)


class EntryChangeSerializer(serializers.Serializer[Any]):
    """model: null while the entry is anonymous. before, after: null where it did not stand."""

    submission = serializers.UUIDField()
    model = BoardModelSerializer(allow_null=True)
    before = EntryOnBoardSerializer(allow_null=True)
    after = EntryOnBoardSerializer(allow_null=True)
    is_reordered = serializers.BooleanField()


class BoardChangeSerializer(serializers.Serializer[Any]):
    """withdrawn, changed: number of items of the split."""

    kind = serializers.ChoiceField(["correction", "version"])
    before = ChangedStandingSerializer()
    after = ChangedStandingSerializer()
    withdrawn = serializers.IntegerField()
    changed = serializers.IntegerField()
    elsewhere = serializers.IntegerField(help_text="Items corrected in the other split.")
    reordered = serializers.IntegerField(help_text="Entries at another place among those of both.")
    count = serializers.IntegerField(help_text="Entries of either standing.")
    entries = EntryChangeSerializer(many=True)


class BoardChangesSerializer(serializers.Serializer[Any]):
    """The latest change first. corrects, corrected_by: releases that may be seen."""

    release = serializers.CharField()
    name = serializers.CharField()
    track = serializers.CharField()
    split = serializers.ChoiceField(ReleaseSplit.choices)
    metric = BoardMetricSerializer()
    corrects = serializers.CharField(allow_null=True)
    corrected_by = serializers.CharField(allow_null=True)
    offset = serializers.IntegerField()
    is_pending = serializers.BooleanField(
        help_text="The ranks after a change are not computed yet."
    )
    changes = BoardChangeSerializer(many=True)


class BoardChanges(APIView):
    permission_classes = [AllowAny]

    @operation("boards_changes", BoardChangesSerializer, parameters=[ChangesFilterSerializer])
    def get(self, request: Request, slug: str) -> Response:
        """Ranks and scores before and after each correction and evaluator version."""
        actor = get_actor(request)
        release = get_release_or_raise(actor, slug)
        chosen = validate(ChangesFilterSerializer(data=request.query_params))
        track = get_track_or_raise(release.track)
        later = visible_releases(actor).filter(corrects=release).first()
        payload = {
            "release": release.slug,
            "name": release.name,
            "track": release.track,
            "split": chosen["split"],
            "metric": track.get_metric(track.main_metric),
            "corrects": release.corrects.slug if release.corrects else None,
            "corrected_by": later.slug if later else None,
            "offset": chosen["offset"],
            "is_pending": is_change_pending(release, chosen["split"]),
            "changes": [
                change_payload(one, chosen["offset"])
                for one in list_changes(release, chosen["split"], actor)
            ],
        }
        return Response(BoardChangesSerializer(payload).data)


def change_payload(change: BoardChange, offset: int) -> dict[str, Any]:
    return {
        "kind": change.kind,
        "before": change.before,
        "after": change.after,
        "withdrawn": change.withdrawn,
        "changed": change.changed,
        "elsewhere": change.elsewhere,
        "reordered": change.reordered,
        "count": len(change.entries),
        "entries": change.entries[offset : offset + ROWS_PER_PAGE],
    }
