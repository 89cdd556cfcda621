import type { InvitationPreview, CurrentUser } from "@/api/contract";
import { SkeletonRows } from "@/components/SkeletonRows";
import { useCurrentUser } from "@/lib/currentUser";
import { hasErrorCode } from "@/lib/errorMessages";
import { formatLongDate } from "@/lib/format";
import { AcceptButton, ConfirmAddress, OtherAccount, SignInFirst } from "./InvitationUnavailable";
import { isSameEmail } from "./labels";
import { NewAccountForm } from "./NewAccount";
import { useAcceptInvitation } from "./useAccept";

interface Props {
  token: string;
  invitation: InvitationPreview;
}

/** An open invitation: what accepting it takes depends on who is reading. */
export function AcceptInvitation({ token, invitation }: Props) {
  const me = useCurrentUser();
  if (me === undefined) return <SkeletonRows rows={2} height={48} />;
  if (me) {
    return isSameEmail(me.email, invitation.email) ? <AcceptAsUser token={token} invitation={invitation} me={me} /> : <OtherAccount me={me} email={invitation.email} />;
  }
  if (invitation.signs_in) return <AcceptAndSignIn token={token} invitation={invitation} />;
  if (invitation.has_account) return <SignInFirst email={invitation.email} />;
  return <NewAccountForm token={token} invitation={invitation} />;
}

/** The link of the e-mail itself, which only the owner of the account received. */
function AcceptAndSignIn({ token, invitation }: Props) {
  const accept = useAcceptInvitation();
  if (hasErrorCode(accept.error, "sign_in_first")) return <SignInFirst email={invitation.email} />;
  return (
    <>
      <p>Open until {formatLongDate(invitation.expires_at)}. Accepting signs you in as {invitation.email}.</p>
      <AcceptButton accept={accept} token={token}>Accept and begin</AcceptButton>
    </>
  );
}

function AcceptAsUser({ token, invitation, me }: Props & { me: CurrentUser }) {
  const accept = useAcceptInvitation();
  if (hasErrorCode(accept.error, "other_account")) return <OtherAccount me={me} email={invitation.email} />;
  if (hasErrorCode(accept.error, "address_unproven")) return <ConfirmAddress email={invitation.email} />;
  return (
    <>
      <p>Open until {formatLongDate(invitation.expires_at)}. You are signed in as {me.email}.</p>
      <AcceptButton accept={accept} token={token} me={me}>Accept the invitation</AcceptButton>
    </>
  );
}
