import { useQuery } from "@tanstack/react-query";
import { useLocation } from "react-router";
import { request, Problem } from "@/api/client";
import type { InvitationPreview } from "@/api/contract";
import { Page } from "@/components/Page";
import { LoadError } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { readInvitationToken } from "@/domains/accounts/invitations/invitationToken";
import { AcceptInvitation } from "./Accept";
import { ExpiredInvitation, UnknownInvitation } from "./InvitationUnavailable";
import { invitationSubject } from "./labels";

export function InvitePage() {
  const token = readInvitationToken(useLocation().hash);
  if (!token) return <InvitationLoadError />;
  return <Invitation key={token} token={token} />;
}

function Invitation({ token }: { token: string }) {
  const lookup = useQuery({
    queryKey: ["invitation", token],
    queryFn: () => request<InvitationPreview>("/api/v1/invitations/lookup", { method: "POST", json: { token } }),
  });
  if (lookup.data) return <InvitationView token={token} invitation={lookup.data} />;
  if (lookup.error instanceof Problem && lookup.error.status === 404) return <InvitationLoadError />;
  return (
    <Page title="Your invitation" width="narrow">
      {lookup.isError ? <LoadError error={lookup.error} onRetry={() => void lookup.refetch()} isBusy={lookup.isFetching} /> : <SkeletonRows rows={3} height={48} />}
    </Page>
  );
}

function InvitationView({ token, invitation }: { token: string; invitation: InvitationPreview }) {
  return (
    <Page title={invitation.study?.name ?? "Your invitation"} width="narrow" intro={invitationSubject(invitation)}>
      {invitation.state === "open" ? <AcceptInvitation token={token} invitation={invitation} /> : <ExpiredInvitation token={token} invitation={invitation} />}
    </Page>
  );
}

function InvitationLoadError() {
  return <Page title="Invitation not found" width="narrow"><UnknownInvitation /></Page>;
}
