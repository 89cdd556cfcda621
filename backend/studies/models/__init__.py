from backend.studies.models.archives import Archive, archive_of
from backend.studies.models.guidelines import Acknowledgement, GuidelineVersion
from backend.studies.models.studies import (
    ENDED_STATUSES,
    Member,
    Study,
    StudyInvitation,
    default_study_kind,
)
from backend.studies.models.webhooks import Webhook, WebhookDelivery, WebhookHost

__all__ = [
    "ENDED_STATUSES",
    "Acknowledgement",
    "Archive",
    "GuidelineVersion",
    "Member",
    "Study",
    "StudyInvitation",
    "Webhook",
    "WebhookDelivery",
    "WebhookHost",
    "archive_of",
    "default_study_kind",
]
