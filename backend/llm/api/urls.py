from django.urls import path

from backend.llm.api import spending, views

urlpatterns = [
    path("endpoints", views.Endpoints.as_view()),
    path("endpoints/<uuid:endpoint_id>", views.EndpointDetail.as_view()),
    path("endpoints/<uuid:endpoint_id>/calls", views.EndpointCalls.as_view()),
    path("endpoints/<uuid:endpoint_id>/probe", views.EndpointProbe.as_view()),
    path("model-spending", spending.ModelSpending.as_view()),
    path("model-spending.csv", spending.ModelSpendingCsv.as_view()),
    path("model-spending.json", spending.ModelSpendingJson.as_view()),
]
