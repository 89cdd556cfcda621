import { useQuery } from "@tanstack/react-query";
import { useLocation } from "react-router";
import { call, Problem } from "@/api/client";
import type { InvitationPreview } from "@/api/contract";
import { Failure } from "@/components/Loadable";
import { Page } from "@/components/Page";
import { SkeletonRows } from "@/components/SkeletonRows";
import { invitationToken } from "@/lib/invitationToken";
import { Accept } from "./Accept";
import { NoLongerOpen, UnknownInvitation } from "./NotOpen";
import { subjectOf } from "./words";

export function InvitePage() {
  const token = invitationToken(useLocation().hash);
  if (!token) return <Unknown />;
  return <Invitation key={token} token={token} />;
}

function Invitation({ token }: { token: string }) {
  const lookup = useQuery({
    queryKey: ["invitation", token],
    queryFn: () =>
      call<InvitationPreview>("/api/v1/invitations/lookup", { method: "POST", json: { token } }),
  });
  if (lookup.data) return <Found token={token} invitation={lookup.data} />;
  if (lookup.error instanceof Problem && lookup.error.status === 404) return <Unknown />;
  return (
    <Page title="Your invitation" width="narrow">
      {lookup.isError ? (
        <Failure error={lookup.error} onRetry={() => void lookup.refetch()} busy={lookup.isFetching} />
      ) : (
        <SkeletonRows rows={3} height={48} />
      )}
    </Page>
  );
}

function Found({ token, invitation }: { token: string; invitation: InvitationPreview }) {
  return (
    <Page title={invitation.study?.name ?? "Your invitation"} width="narrow" lead={subjectOf(invitation)}>
      {invitation.state === "open" ? (
        <Accept token={token} invitation={invitation} />
      ) : (
        <NoLongerOpen token={token} invitation={invitation} />
      )}
    </Page>
  );
}

function Unknown() {
  return (
    <Page title="This invitation is not known" width="narrow">
      <UnknownInvitation />
    </Page>
  );
}
