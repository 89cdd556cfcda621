from django.urls import path

from backend.jobs.api.views import JobCancellation, JobDetail, Jobs

urlpatterns = [
    path("jobs", Jobs.as_view()),
    path("jobs/<uuid:job_id>", JobDetail.as_view()),
    path("jobs/<uuid:job_id>/cancel", JobCancellation.as_view()),
]
