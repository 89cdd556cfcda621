from django.urls import URLPattern, path

from backend.studies.api import people, views, webhooks

urlpatterns: list[URLPattern] = [
    path("me", views.MeView.as_view()),
    path("people", people.PeopleView.as_view()),
    path("invitations/lookup", views.LookUpInvitationView.as_view()),
    path("studies/<uuid:study_id>/consent", views.ConsentView.as_view()),
    path("studies/<uuid:study_id>/guidelines", views.GuidelinesView.as_view()),
    path("studies/<uuid:study_id>/experts/<uuid:expert_id>/tags", views.ExpertTagsView.as_view()),
    path("studies/<uuid:study_id>/webhooks", webhooks.StudyWebhooksView.as_view()),
    path("webhooks/<uuid:webhook_id>", webhooks.WebhookView.as_view()),
    path("webhooks/<uuid:webhook_id>/test", webhooks.WebhookTestView.as_view()),
    path("webhook-deliveries/<uuid:delivery_id>/repeat", webhooks.RepeatedDeliveryView.as_view()),
    path("webhook-hosts", webhooks.WebhookHostsView.as_view()),
    path("webhook-hosts/<int:host_id>", webhooks.WebhookHostView.as_view()),
]
