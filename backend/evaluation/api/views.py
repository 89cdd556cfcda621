"""Validate and submit predictions; read and withdraw submissions. Tokens are accepted."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from rest_framework import serializers as fields
from rest_framework.generics import ListAPIView
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle, ScopedRateThrottle
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor_or_raise
from backend.accounts.api.token_authentication import ANY_TOKEN_OR_SESSION, TOKEN_OR_SESSION
from backend.accounts.models import User
from backend.benchmarks.models import ReleaseSplit
from backend.benchmarks.policies import get_release_or_raise
from backend.benchmarks.registered_models import get_own_model_or_raise
from backend.common.openapi import operation
from backend.common.parsers import require_body_size
from backend.common.serializers import validate
from backend.evaluation.api.serializers import (
    DeclaredSerializer,
    NewSubmissionSerializer,
    PredictionFileSerializer,
    QueryUseSerializer,
    SubmissionSerializer,
    ValidationSerializer,
)
from backend.evaluation.final_entries import choose_final
from backend.evaluation.models import Submission
from backend.evaluation.policies import get_submission_or_raise, require_researcher
from backend.evaluation.prediction_files import PredictionFile, open_upload
from backend.evaluation.prediction_uploads import open_complete_upload
from backend.evaluation.queries import count_queries
from backend.evaluation.sealing import seal_predictions
from backend.evaluation.services import NewSubmission, submit_predictions, withdraw_submission
from backend.evaluation.validation import validate_predictions

DECLARED: tuple[str, ...] = tuple(map(str, DeclaredSerializer().fields.keys()))


def submission_payload(user: User, submission: Submission) -> dict[str, Any]:
    return dict(SubmissionSerializer(submission, context={"user": user}).data)


@contextmanager
def open_form(
    request: Request, serializer: type[fields.Serializer[Any]]
) -> Iterator[tuple[dict[str, Any], PredictionFile]]:
    """The validated fields of the form, and its file, which stays only if it is submitted."""
    require_body_size(request, settings.LARGEST_PREDICTION_UPLOAD)
    form = validate(serializer(data=request.data), is_form=True)
    complete = None
    if upload_id := form.pop("upload", None):
        name, stream = open_complete_upload(get_actor_or_raise(request), upload_id)
        complete = Path(stream.name)
    else:
        stream = form.pop("file")
        name = stream.name or "predictions.jsonl"
    with stream, open_upload(stream, name, complete=complete) as file:
        yield form, file


class LimitedUploads(APIView):
    """Checks and submissions on dev items cost no query, so uploads are limited by account."""

    authentication_classes = TOKEN_OR_SESSION
    throttle_scope = "predictions"

    def get_throttles(self) -> list[BaseThrottle]:
        return [ScopedRateThrottle()] if self.request.method == "POST" else []


class Validations(LimitedUploads):
    authentication_classes = ANY_TOKEN_OR_SESSION
    parser_classes = [MultiPartParser]

    @operation(
        "validations_create",
        ValidationSerializer,
        404,
        429,
        507,
        request={"multipart/form-data": PredictionFileSerializer},
    )
    def post(self, request: Request) -> Response:
        """Every fault of a file of predictions. Nothing is submitted and no query is used."""
        actor = get_actor_or_raise(request)
        require_researcher(actor)
        with open_form(request, PredictionFileSerializer) as (form, file):
            release = get_release_or_raise(actor, form["release"])
            checked = validate_predictions(release, form["split"], file, actor=actor)
        payload = {
            "is_valid": checked.is_valid,
            "digest": checked.digest,
            "items": len(checked.answered),
            "answered": int(checked.answered.sum()),
            "total": checked.faults.total,
            "faults": checked.faults.listed,
            "notices": checked.notices,
        }
        return Response(ValidationSerializer(payload).data)


class Submissions(LimitedUploads, ListAPIView[Submission]):
    parser_classes = [MultiPartParser]
    serializer_class = SubmissionSerializer

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "user": get_actor_or_raise(self.request)}

    def get_queryset(self) -> QuerySet[Submission]:
        own = Submission.objects.visible_to(get_actor_or_raise(self.request))
        related = ("release", "model", "evaluation", "submitted_by", "session__release")
        return own.select_related(*related)

    @operation("submissions_list", SubmissionSerializer(many=True))
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Your submissions and those of your team's models, the latest first."""
        return super().get(request, *args, **kwargs)

    @operation(
        "submissions_create",
        SubmissionSerializer,
        404,
        409,
        422,
        429,
        507,
        status=202,
        request={"multipart/form-data": NewSubmissionSerializer},
    )
    def post(self, request: Request) -> Response:
        """Submit predictions. A file with faults is refused with all of them, and costs no query.

        Equal predictions of the same model are submitted once: the earlier submission is returned,
        with what is declared now in place of what was declared before. On a sealed release they
        are stored unscored, and the time of the first holds.
        """
        actor = get_actor_or_raise(request)
        require_researcher(actor)
        with open_form(request, NewSubmissionSerializer) as (form, file):
            submission = self._submit(actor, form, file)
        return Response(submission_payload(actor, submission), status=HTTPStatus.ACCEPTED)

    def _submit(self, actor: User, form: dict[str, Any], file: PredictionFile) -> Submission:
        declared = {name: form[name] for name in DECLARED if name in form}
        new = NewSubmission(
            release=get_release_or_raise(actor, form["release"]),
            model=get_own_model_or_raise(actor, form["model"]),
            split=ReleaseSplit(form["split"]),
            declared=declared,
            anonymous_until=form.get("anonymous_until"),
            session=form.get("session"),
        )
        if new.release.is_sealed:
            return seal_predictions(actor=actor, new=new, file=file)
        return submit_predictions(actor=actor, new=new, file=file)[0]


class SubmissionDetail(APIView):
    authentication_classes = TOKEN_OR_SESSION

    @operation("submissions_read", SubmissionSerializer)
    def get(self, request: Request, submission_id: uuid.UUID) -> Response:
        actor = get_actor_or_raise(request)
        return Response(submission_payload(actor, get_submission_or_raise(actor, submission_id)))


class WithdrawalSerializer(fields.Serializer[Any]):
    reason = fields.CharField(max_length=2_000, allow_blank=True, default="")


class SubmissionWithdrawal(APIView):
    authentication_classes = TOKEN_OR_SESSION

    @operation("submissions_withdraw", SubmissionSerializer, request=WithdrawalSerializer)
    def post(self, request: Request, submission_id: uuid.UUID) -> Response:
        """Take a submission off the board. Its address stays, with the withdrawal."""
        actor = get_actor_or_raise(request)
        reason = validate(WithdrawalSerializer(data=request.data))["reason"]
        submission = get_submission_or_raise(actor, submission_id)
        withdrawn = withdraw_submission(actor=actor, submission=submission, reason=reason)
        return Response(submission_payload(actor, withdrawn))


class FinalEntrySerializer(fields.Serializer[Any]):
    is_final = fields.BooleanField()


class FinalEntry(APIView):
    authentication_classes = TOKEN_OR_SESSION

    @operation("submissions_choose_final", SubmissionSerializer, 409, request=FinalEntrySerializer)
    def post(self, request: Request, submission_id: uuid.UUID) -> Response:
        """Choose the entry that the board shows of its model once the release has closed."""
        actor = get_actor_or_raise(request)
        is_final = validate(FinalEntrySerializer(data=request.data))["is_final"]
        submission = get_submission_or_raise(actor, submission_id)
        choose_final(actor=actor, submission=submission, is_final=is_final)
        return Response(submission_payload(actor, get_submission_or_raise(actor, submission_id)))


class Queries(APIView):
    authentication_classes = TOKEN_OR_SESSION

    @operation("queries_read", QueryUseSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """How many queries of a release you and your team have used, over all models."""
        actor = get_actor_or_raise(request)
        use = count_queries(actor, get_release_or_raise(actor, slug))
        return Response(QueryUseSerializer(use).data)
