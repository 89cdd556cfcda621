from django.urls import path

from backend.accounts.api import oidc_views, sign_in_link_views, team_views, token_views, views

urlpatterns = [
    path("sign-in-links/use", sign_in_link_views.UseSignInLink.as_view()),
    path("sign-in-links/renew", sign_in_link_views.RenewSignInLink.as_view()),
    path("sign-in/provider", oidc_views.ProviderSignIn.as_view()),
    path("tokens", token_views.ApiTokens.as_view()),
    path("tokens/<uuid:token_id>", token_views.ApiTokenView.as_view()),
    path("team", team_views.OwnTeam.as_view()),
    path("team/members/<uuid:user_id>", team_views.TeamMemberView.as_view()),
    path("team/invitations", team_views.TeamInvitations.as_view()),
    path("team/invitations/<uuid:invitation_id>", team_views.TeamInvitationView.as_view()),
    path("team/invitations/<uuid:invitation_id>/accept", team_views.AcceptTeamInvitation.as_view()),
    path("people/<uuid:user_id>", views.Account.as_view()),
    path("people/invitations", views.Invitations.as_view()),
    path("people/invitations/<uuid:invitation_id>/revoke", views.RevokeInvitation.as_view()),
    path("people/invitations/<uuid:invitation_id>/resend", views.ResendInvitation.as_view()),
]
