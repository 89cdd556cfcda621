"""What a study was when it was frozen."""

from django.conf import settings
from django.db import models

from backend.common.slugs import MAX_SLUG_LENGTH
from backend.studies.models import Study


class StudyRelease(models.Model):
    """A frozen study under a name that papers can cite; the database refuses to alter it.

    checksum: SHA-256 of its export, see `annotation.study_releases`. record: the counts, the
    design, the versions and the statistics, see `annotation.release_record`.
    """

    study = models.OneToOneField(Study, models.PROTECT, related_name="release")
    slug = models.SlugField(max_length=MAX_SLUG_LENGTH, unique=True)
    checksum = models.CharField(max_length=64)
    record = models.JSONField()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.slug
