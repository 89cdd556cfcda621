"""What each expert has to answer."""

import uuid
from collections import Counter
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Count, Exists, F, OuterRef, Prefetch, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from annotation.models.batches import Batch, BatchQuestion, consent_subquery
from backend.accounts.models import User
from backend.benchmarks.models import Question, Resource
from backend.studies.models import Member, Study, Webhook

UNANSWERED = Q(response=None) | Q(response__submitted_number=0)
"""Neither answered nor skipped."""


class AssignmentQuerySet(models.QuerySet["Assignment"]):
    def of_expert(self, expert: User) -> Self:
        """In studies that the expert has not left; and adjudications, which are a coordinator's."""
        joined = Member.objects.filter(user=expert, role=Member.Role.EXPERT)
        is_adjudication = Q(purpose=Assignment.Purpose.ADJUDICATION)
        return self.filter(is_adjudication | Q(study__in=joined.values("study")), expert=expert)

    def with_consent(self) -> Self:
        """Annotate consent_version: what the expert agreed to in this study, if nothing newer has
        to be read."""
        return self.annotate(
            consent_version=consent_subquery(OuterRef("study"), OuterRef("expert"))
        )

    def with_terms(self) -> Self:
        """Annotate consent_version and guidelines_number: what the expert agreed to so far, and
        has_webhooks: of the study."""
        member = Member.objects.filter(
            study=OuterRef("study"), user=OuterRef("expert"), role=Member.Role.EXPERT
        )
        return self.annotate(
            consent_version=Subquery(member.values("consent_version")),
            guidelines_number=Subquery(member.values("guidelines_number")),
            has_webhooks=Exists(Webhook.objects.filter(study=OuterRef("study"))),
        )

    def with_rule(self, rule: Q) -> Self:
        """Annotate has_rule: see annotation.eligibility."""
        return self.annotate(has_rule=rule)

    def with_item(self, *, resources: bool = True) -> Self:
        """Load what a study kind builds items from, in a fixed number of queries.

        Answers are checked against items without resources: that saves writes a query.
        """
        result = Resource.objects.all() if resources else Resource.objects.none()
        loaded = self.with_item_fields()
        return loaded.prefetch_related(
            "question__candidates", Prefetch("question__resources", result)
        )

    def with_item_fields(self) -> Self:
        """As `with_item`, without candidates and resources."""
        entry = BatchQuestion.objects.filter(batch=OuterRef("batch"), question=OuterRef("question"))
        return self.select_related("question", "study").annotate(
            entry_payload=Subquery(entry.values("payload")),
            seed=Coalesce("study__design__seed", 0),
            overlap=F("study__design__overlap"),
            lease_minutes=F("study__design__lease_minutes"),
        )

    def counted(self) -> Self:
        """Those whose answers count: progress, agreement and results are over them.

        Repeated items, surplus answers, what was released without an answer, and answers that
        check an expert or settle a disagreement do not.
        """
        return self.answers().filter(state=Assignment.State.ACTIVE)

    def answers(self) -> Self:
        """Those that may count: neither repeated nor a check nor an adjudication."""
        return self.filter(occasion=1, purpose=Assignment.Purpose.ANSWER)

    def count_levels(
        self, study: uuid.UUID, expert: uuid.UUID, purpose: "Assignment.Purpose"
    ) -> Counter[tuple[str, str]]:
        """How many of the expert's questions for the purpose have a level of an arm, by the names
        of both; without repeated questions, and what was returned unanswered.

        Balanced arms draw by them, so that each expert has both levels equally often.
        """
        own = self.filter(study=study, expert=expert, purpose=purpose, occasion=1)
        returned = Q(UNANSWERED, state__in=[Assignment.State.RELEASED, Assignment.State.WITHDRAWN])
        rows = own.exclude(pk__in=own.filter(returned).values("pk")).order_by()
        result: Counter[tuple[str, str]] = Counter()
        for arms, number in rows.values_list("arms").annotate(Count("id")):
            result.update(dict.fromkeys(arms.items(), number))
        return result

    def not_released(self) -> Self:
        """What experts have on their pages: everything but what was released or withdrawn.

        Adjudications have a page of their own.
        """
        return self.for_experts().exclude(
            state__in=[Assignment.State.RELEASED, Assignment.State.WITHDRAWN]
        )

    def not_withdrawn(self) -> Self:
        return self.exclude(state=Assignment.State.WITHDRAWN)

    def for_experts(self) -> Self:
        return self.exclude(purpose=Assignment.Purpose.ADJUDICATION)

    def adjudications(self) -> Self:
        """At most one of a question: that of the coordinator who took it."""
        return self.filter(state=Assignment.State.ACTIVE, purpose=Assignment.Purpose.ADJUDICATION)

    def blind(self) -> Self:
        """Adjudications without an answer: until then their adjudicator sees no other's."""
        return self.adjudications().exclude(response__submitted_number__gt=0)

    def with_response(self) -> Self:
        return self.select_related("response")


class Assignment(models.Model):
    """One question for one expert.

    arms: the level of each arm that was drawn for it; propensity: the probability of that draw.
    is_adaptive: whether the question was drawn because it informs most, not by chance;
    selection_propensity: the probability of that question, where a share is drawn so.
    leased_until: when it returns to the pool unless it is answered; None outside pools.
    occasion: 2 where the expert gets the question a second time. number: shown instead of the
    question's, which another assignment of the expert has; None where the question's is shown.
    """

    class State(models.TextChoices):
        """released: returned to the pool. surplus: answered after others had taken its place.
        withdrawn: with its expert, or for a conflict of interest; it cannot be written any more."""

        ACTIVE = "active"
        RELEASED = "released"
        SURPLUS = "surplus"
        WITHDRAWN = "withdrawn"

    class Purpose(models.TextChoices):
        """gold: its answer is known, among the others. qualification: known, and before them.
        adjudication: settles where experts disagree."""

        ANSWER = "answer"
        GOLD = "gold"
        QUALIFICATION = "qualification"
        ADJUDICATION = "adjudication"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    study = models.ForeignKey(Study, models.CASCADE, related_name="assignments")
    batch = models.ForeignKey(Batch, models.CASCADE, related_name="assignments")
    question = models.ForeignKey(Question, models.PROTECT, related_name="assignments")
    expert = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="assignments")
    created_at = models.DateTimeField(default=timezone.now)
    state = models.CharField(max_length=9, choices=State.choices, default=State.ACTIVE)
    purpose = models.CharField(max_length=13, choices=Purpose.choices, default=Purpose.ANSWER)
    occasion = models.PositiveSmallIntegerField(default=1)
    number = models.PositiveIntegerField(null=True)
    leased_until = models.DateTimeField(null=True)
    arms = models.JSONField(default=dict)
    propensity = models.FloatField(default=1)
    is_adaptive = models.BooleanField(default=False)
    selection_propensity = models.FloatField(null=True)

    objects = AssignmentQuerySet.as_manager()
    consent_version: str | None  # only after with_consent or with_terms
    guidelines_number: int | None  # only after with_terms
    has_webhooks: bool  # the same
    has_rule: bool  # set by with_rule
    entry_payload: dict[str, Any]  # these four only after with_item
    seed: int
    overlap: int | None
    lease_minutes: int | None

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["study", "question", "expert", "occasion"],
                name="assignment_once_per_occasion",
            ),
            models.UniqueConstraint(
                fields=["study", "question"],
                condition=Q(purpose="adjudication", state="active"),
                name="assignment_one_adjudication",
            ),
            models.CheckConstraint(
                condition=Q(propensity__gt=0, propensity__lte=1), name="assignment_propensity"
            ),
            models.CheckConstraint(
                condition=Q(selection_propensity=None)
                | Q(selection_propensity__gt=0, selection_propensity__lte=1),
                name="assignment_selection_propensity",
            ),
        ]
        indexes = [
            models.Index(fields=["expert", "batch"]),
            models.Index(fields=["study", "question"]),
        ]
