"""Standings: the ranked entries of a release at one moment."""

from django.db import models

from backend.benchmarks.models import Release, ReleaseSplit

AFTER_CUTOFF = "after its knowledge"  # a slice of other items for each entry


class Standing(models.Model):
    """The board of a split as it was after one change. Never changes, so that it can be cited.

    digest: SHA-256 of the standing submissions and their evaluations. `audit`: which differences
    the items resolve. Rows are in order of the main metric.
    """

    release = models.ForeignKey(Release, models.CASCADE, related_name="standings")
    split = models.CharField(max_length=4, choices=ReleaseSplit.choices)
    digest = models.CharField(max_length=64)
    evaluator_version = models.CharField(max_length=20)
    entries = models.PositiveIntegerField()
    audit = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]
        indexes = [models.Index(fields=["release", "split", "-created_at"], name="latest_standing")]


class StandingRow(models.Model):
    """An entry of a standing. `content` is what the API answers, `submission_id` its permalink."""

    # Found by the constraint's index. One of the standing alone misleads the planner, while the
    # statistics are older than the newest standing, into reading all its rows for each page.
    standing = models.ForeignKey(Standing, models.CASCADE, related_name="rows", db_index=False)
    position = models.PositiveIntegerField()
    submission_id = models.UUIDField()
    content = models.JSONField()

    class Meta:
        ordering = ["standing_id", "position"]
        indexes = [models.Index(fields=["submission_id", "standing"], name="rows_of_submission")]
        constraints = [
            models.UniqueConstraint(fields=["standing", "position"], name="standing_position_once")
        ]


class StandingPage(models.Model):
    """The entries from a position on, in order of the main metric, as the API answers them.

    offset: how many entries are before. rows: their contents as JSON with commas between them and
    the end of the page's JSON, compressed. A page with an anonymous entry is not stored: the
    entry's name is shown from its date on.
    """

    standing = models.ForeignKey(Standing, models.CASCADE, related_name="pages", db_index=False)
    offset = models.PositiveIntegerField()
    rows = models.BinaryField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["standing", "offset"], name="standing_page_once")
        ]
