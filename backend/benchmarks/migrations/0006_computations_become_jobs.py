"""Computations become jobs with the same ids; those that were running are queued again."""

import shutil
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import migrations

STATES = {"running": "queued", "done": "succeeded"}


def convert_computations(apps: Any, _schema_editor: Any) -> None:
    computation_model = apps.get_model("benchmarks", "Computation")
    job_model = apps.get_model("jobs", "Job")
    for old in computation_model.objects.select_related("version").order_by("created_at"):
        state = STATES.get(old.state, old.state)
        subjects = [f"graph-version:{old.version_id}"]
        if old.question_set_id:
            subjects.append(f"question-set:{old.question_set_id}")
        job_model.objects.create(
            id=old.pk,
            kind=f"rns-{old.kind}",
            parameters={
                "version": old.version_id,
                "question_set": str(old.question_set_id) if old.question_set_id else None,
                "options": old.parameters,
            },
            digest=old.digest,
            subjects=subjects,
            owner_id=old.actor_id,
            state=state,
            percent=old.percent,
            attempts=0 if state == "queued" else old.attempts,
            result=_result(old.result),
            error=_error(old),
            started_at=old.started_at,
            ended_at=old.ended_at,
        )
        job_model.objects.filter(pk=old.pk).update(created_at=old.created_at)
        _move_checkpoint(old, is_active=state == "queued")


def _result(result: dict[str, Any]) -> dict[str, Any]:
    """A field of the calibration has a new name."""
    calibration = result.get("calibration")
    for part in (calibration or {}).get("parts", ()):
        if "told" in part:
            part["is_significant"] = part.pop("told")
    return result


def _error(old: Any) -> dict[str, Any] | None:
    if old.state == "cancelled":
        return {"code": "USER_CANCELLED", "detail": "Cancelled.", "errors": []}
    if old.state != "failed":
        return None
    return {"code": "PLATFORM_FAILED", "detail": old.fault, "errors": []}


def _move_checkpoint(old: Any, *, is_active: bool) -> None:
    """Intermediate results, and the uploaded file of a scoring, were beside the snapshot."""
    if is_active:
        _move_folder(*_checkpoint_paths(old))


def _checkpoint_paths(old: Any) -> tuple[Path, Path]:
    before = Path(settings.SNAPSHOTS) / f"{old.version.snapshot}.rns-work-{old.digest[:16]}"
    return before, Path(settings.JOB_CHECKPOINTS) / str(old.pk)


def _move_folder(source: Path, target: Path) -> None:
    if source.is_dir() and not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(source, target)


def restore_computations(apps: Any, _schema_editor: Any) -> None:
    """The reverse. A job whose graph or question set was deleted had no computation."""
    computation_model = apps.get_model("benchmarks", "Computation")
    versions = apps.get_model("graphs", "Version").objects.in_bulk()
    sets = set(apps.get_model("benchmarks", "QuestionSet").objects.values_list("pk", flat=True))
    jobs = apps.get_model("jobs", "Job").objects.filter(kind__startswith="rns-")
    for job in jobs.order_by("created_at"):
        question_set = job.parameters["question_set"] and UUID(job.parameters["question_set"])
        version = versions.get(job.parameters["version"])
        if version is None or (question_set and question_set not in sets):
            continue
        is_active = job.state in {"queued", "running"}
        old = computation_model.objects.create(
            id=job.pk,
            kind=job.kind.removeprefix("rns-"),
            parameters=job.parameters["options"],
            version=version,
            question_set_id=question_set,
            digest=job.digest,
            actor_id=job.owner_id,
            state="queued" if is_active else {"succeeded": "done"}.get(job.state, job.state),
            percent=job.percent,
            attempts=0 if is_active else job.attempts,
            result=_old_result(job.result),
            fault=job.error["detail"] if job.state == "failed" else "",
            started_at=job.started_at,
            ended_at=job.ended_at,
        )
        computation_model.objects.filter(pk=old.pk).update(created_at=job.created_at)
        if is_active:
            _move_folder(*reversed(_checkpoint_paths(old)))
    jobs.delete()


def _old_result(result: dict[str, Any]) -> dict[str, Any]:
    for part in (result.get("calibration") or {}).get("parts", ()):
        if "is_significant" in part:
            part["told"] = part.pop("is_significant")
    return result


class Migration(migrations.Migration):
    dependencies = [
        ("benchmarks", "0005_study_questions"),
        ("jobs", "0001_initial"),
    ]

    operations = [
        migrations.RunPython(convert_computations, restore_computations),
        migrations.DeleteModel("Computation"),
    ]
