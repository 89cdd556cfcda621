"""E-mail to a submitter once a submission has ended, to an organiser once a correction failed."""

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction

from backend.accounts import mail_delivery
from backend.accounts.models import User
from backend.evaluation.models import Submission, SubmissionState


def mail_result_on_commit(submission: Submission) -> None:
    """Without scores: the page of the submission shows those that the release lets be seen."""
    submitter = submission.submitted_by
    if submitter is None or not submitter.is_active or not submitter.mails_results:
        return
    message = result_message(submission, submitter.email)
    transaction.on_commit(lambda: mail_delivery.send_in_background(message))


def result_message(submission: Submission, address: str) -> EmailMessage:
    release, model = submission.release.name, submission.model.name
    is_scored = submission.state == SubmissionState.SCORED and not submission.is_left_out
    lines = [f"The file {submission.file_name} of {model}, submitted to {release}, is scored."]
    if not is_scored:
        lines = [f"The file {submission.file_name} of {model} has no score for {release}."]
        error = submission.error or {}
        lines.append(str(error.get("detail") or "The evaluation failed."))
        if job := error.get("job"):
            lines.append(f"Reference for the administrator: {job}")
    if submission.query_refunded_at is not None:
        lines.append("The query was given back.")
    lines += [
        f"{settings.SITE_URL}/submissions/{submission.pk}",
        f"Switch these messages off on your account page: {settings.SITE_URL}/account",
    ]
    subject = f"{'Scored' if is_scored else 'Not scored'}: {model} on {release}"
    return EmailMessage(" ".join(subject.split()), "\n\n".join(lines), to=[address])


def mail_failed_correction_on_commit(organiser: User | None, name: str, detail: str) -> None:
    """A job made it: the organiser who requested it may have left the page long ago."""
    if organiser is None or not organiser.is_active:
        return
    subject = " ".join(f"Not corrected: {name}".split())
    text = f"{detail}\n\n{settings.SITE_URL}/releases"
    message = EmailMessage(subject, text, to=[organiser.email])
    transaction.on_commit(lambda: mail_delivery.send_in_background(message))
