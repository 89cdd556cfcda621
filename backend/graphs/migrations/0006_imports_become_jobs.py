"""Graph imports become jobs of kind `graph-import`; those under way are queued again."""

from django.conf import settings
from django.db import migrations
from django.utils import timezone

STATES = {"done": "succeeded", "refused": "failed", "failed": "failed", "cancelled": "cancelled"}


def create_jobs(apps, schema_editor):
    GraphImport = apps.get_model("graphs", "GraphImport")
    Job = apps.get_model("jobs", "Job")
    for row in GraphImport.objects.select_related("graph").order_by("created_at").iterator():
        report = dict(row.report)
        error = report.pop("error", None)
        is_local = row.origin == "command"
        state = STATES.get(row.state, "failed" if is_local else "queued")
        if error is not None:
            side = "PLATFORM" if row.state == "failed" else "USER"
            error = {**error, "code": f"{side}_{error['code'].upper()}"}
        elif state == "failed":
            detail = "The command that ran this import was stopped. Run it again."
            error = {"code": "PLATFORM_STOPPED", "detail": detail, "errors": []}
        if state == "succeeded" and row.graph is not None:
            report["graph"] = row.graph.slug
        is_published = state == "succeeded" and row.version_id is not None
        job = Job.objects.create(
            id=row.id,
            kind="graph-import",
            parameters={
                "name": row.name,
                "format": row.format,
                "columns": row.columns,
                "metadata": row.about,
                "dry_run": row.dry_run,
                "files": row.files,
            },
            subjects=[f"graph-version:{row.version_id}"] if is_published else [],
            owner_id=row.actor_id,
            is_local=is_local,
            state=state,
            percent=row.percent if state != "queued" else 0,
            result=report if state != "queued" else {},
            error=error,
            started_at=row.started_at if state != "queued" else None,
            ended_at=None if state == "queued" else row.ended_at or row.heartbeat or timezone.now(),
        )
        Job.objects.filter(pk=job.pk).update(created_at=row.created_at)


def restore_imports(apps, schema_editor):
    GraphImport = apps.get_model("graphs", "GraphImport")
    Graph = apps.get_model("graphs", "Graph")
    Version = apps.get_model("graphs", "Version")
    Job = apps.get_model("jobs", "Job")
    jobs = Job.objects.filter(kind="graph-import")
    for job in jobs.order_by("created_at").iterator():
        report = dict(job.result)
        graph = Graph.objects.filter(slug=report.pop("graph", None)).first()
        numbers = [int(one.partition(":")[2]) for one in job.subjects]
        code = (job.error or {}).get("code", "")
        state = {"succeeded": "done", "cancelled": "cancelled", "failed": "failed"}.get(
            job.state, "queued"
        )
        if state == "failed" and code.startswith("USER_"):
            state = "refused"
        if job.error:
            report["error"] = {**job.error, "code": code.partition("_")[2].lower()}
        row = GraphImport.objects.create(
            id=job.id,
            name=job.parameters["name"],
            format=job.parameters["format"],
            columns=job.parameters["columns"],
            about=job.parameters["metadata"],
            dry_run=job.parameters["dry_run"],
            files=job.parameters["files"],
            origin="command" if job.is_local else "upload",
            actor_id=job.owner_id,
            graph=graph,
            version=Version.objects.filter(pk__in=numbers).first(),
            state=state,
            report=report,
            percent=job.percent,
            started_at=job.started_at,
            ended_at=job.ended_at,
        )
        GraphImport.objects.filter(pk=row.pk).update(created_at=job.created_at)
    jobs.delete()


class Migration(migrations.Migration):
    dependencies = [
        ("graphs", "0005_delete_entity"),
        ("jobs", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunPython(create_jobs, restore_imports),
        migrations.DeleteModel(name="GraphImport"),
    ]
