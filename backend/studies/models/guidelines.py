"""What experts read before they answer: the versions of it, and who agreed to which."""

from django.conf import settings
from django.db import models


class GuidelineVersion(models.Model):
    """One version of a study's guidelines, as plain text; the database refuses to alter it.

    digest: SHA-256 of the text. must_be_read: experts answer no further question before they have
    read it. Numbers count from 1.
    """

    study = models.ForeignKey("studies.Study", models.CASCADE, related_name="guidelines")
    number = models.PositiveIntegerField()
    text = models.TextField()
    digest = models.CharField(max_length=64)
    must_be_read = models.BooleanField()
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="guidelines_number_once")
        ]


class Acknowledgement(models.Model):
    """An expert's consent to one version of the consent text and of the guidelines (0: none).

    The database refuses to alter it; `Member` repeats the newest.
    """

    study = models.ForeignKey("studies.Study", models.CASCADE, related_name="acknowledgements")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="acknowledgements"
    )
    consent_version = models.CharField(max_length=20)
    guidelines_number = models.PositiveIntegerField(default=0)
    acknowledged_at = models.DateTimeField()

    class Meta:
        ordering = ["acknowledged_at"]
