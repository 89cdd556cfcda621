from django.urls import path

from backend.accounts.api import views

urlpatterns = [
    path("me", views.Me.as_view(), name="me"),
    path("invitations/lookup", views.LookUpInvitation.as_view(), name="look-up-invitation"),
    path("invitations/accept", views.AcceptInvitation.as_view(), name="accept-invitation"),
    path("people", views.People.as_view(), name="people"),
    path("people/<uuid:user_id>", views.OneAccount.as_view(), name="account"),
    path("people/invitations", views.Invitations.as_view(), name="site-invitations"),
    path(
        "people/invitations/<uuid:invitation_id>/revoke",
        views.RevokeInvitation.as_view(),
        name="revoke-site-invitation",
    ),
    path(
        "people/invitations/<uuid:invitation_id>/resend",
        views.ResendInvitation.as_view(),
        name="resend-site-invitation",
    ),
]
