"""Studies in which people verify claims of groundings."""

import uuid

from django.db import models
from django.db.models import Exists, Q

from backend.accounts.models import User
from backend.benchmarks.models import Question
from backend.evaluation.models.grounding import SOURCES, GroundedClaim, Grounding
from backend.science.judged_scores.claims import MIN_PROPENSITY
from backend.studies.models import Study


class ClaimRule(models.TextChoices):
    """RANDOM: each claim as likely; ACTIVE: likelier where the verifier is unsure."""

    RANDOM = "random"
    ACTIVE = "active"


class ClaimStudy(models.Model):
    """source: of the verdicts that people's are compared with; its evidence is what they read.
    budget: how many claims were requested. seed: of the choice of claims and of their order."""

    study = models.OneToOneField(
        Study, models.CASCADE, primary_key=True, related_name="claim_study"
    )
    source = models.CharField(max_length=10, choices=SOURCES)
    rule = models.CharField(max_length=6, choices=ClaimRule.choices)
    budget = models.PositiveIntegerField()
    seed = models.PositiveBigIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["created_at"]

    @classmethod
    def refuse_judge(cls, study: uuid.UUID, user: uuid.UUID) -> str:
        """Why the user must not judge it: they can read the verifier's verdicts on its claims."""
        batches = ClaimStudyBatch.objects.filter(claim_study=study).values("batch")
        is_administrator = Exists(User.objects.filter(pk=user, is_administrator=True))
        is_shared = Q(owner=None) | Q(is_public=True)
        is_readable = Q(owner=user) | (is_shared & is_administrator)
        if not Grounding.objects.filter(is_readable, batch__in=batches).exists():
            return ""
        return "You can read the verifier's verdicts on these claims. Others must judge them."


class ClaimStudyBatch(models.Model):
    """A batch of groundings whose claims the study verifies. stratum: its place in the study, from
    0, as claims are chosen in each batch by themselves. claims: those it could choose from."""

    claim_study = models.ForeignKey(ClaimStudy, models.CASCADE, related_name="batches")
    batch = models.UUIDField(db_index=True)
    stratum = models.PositiveIntegerField()
    claims = models.PositiveIntegerField()

    class Meta:
        ordering = ["claim_study_id", "stratum"]
        constraints = [
            models.UniqueConstraint(fields=["claim_study", "batch"], name="claim_batch_once"),
            models.UniqueConstraint(fields=["claim_study", "stratum"], name="claim_stratum_once"),
        ]


class ChosenClaim(models.Model):
    """A claim with its question in the study. propensity: with which it was chosen, relative
    to the other claims of its batch."""

    in_batch = models.ForeignKey(ClaimStudyBatch, models.CASCADE, related_name="chosen")
    question = models.OneToOneField(Question, models.CASCADE, related_name="+")
    claim = models.ForeignKey(GroundedClaim, models.CASCADE, related_name="chosen")
    propensity = models.FloatField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["in_batch", "claim"], name="claim_chosen_once"),
            models.CheckConstraint(
                # Propensities are sums that were solved for: the bounds allow for their rounding.
                condition=models.Q(propensity__gte=MIN_PROPENSITY - 1e-9, propensity__lte=1 + 1e-9),
                name="claim_propensity_bounds",
            ),
        ]
