"""Ensembles of models that score the candidates of a question set (SerenQA)."""

from django.db import models

from backend.benchmarks.models import QuestionSet
from backend.evaluation.models.paid_requests import PaidRequest
from backend.llm.models import Endpoint


class CandidateEnsemble(PaidRequest):
    """One request. result: once its job has ended or failed, as `runs.ensemble.EnsembleResult`
    without what was spent, which its budget has."""

    budget_prefix = "ensembles:"
    question_set = models.ForeignKey(QuestionSet, models.CASCADE, related_name="ensembles")
    endpoints = models.ManyToManyField(Endpoint, related_name="ensembles")
    prompt_version = models.CharField(max_length=40)
    result = models.JSONField(null=True)

    class Meta(PaidRequest.Meta):
        indexes = [models.Index(fields=["owner", "-created_at"], name="ensembles_of_owner")]
