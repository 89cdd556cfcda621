import type { InvitationPreview, CurrentUser } from "@/api/contract";
import { Button, ButtonLink } from "@/components/Button";
import { Notice } from "@/components/Notice";
import { useSignOut } from "@/domains/accounts/useSignOut";
import { useCurrentUser } from "@/lib/currentUser";
import { errorMessage } from "@/lib/errorMessages";
import { formatLongDate } from "@/lib/format";
import { inviterName, isSameEmail } from "./labels";
import { useAcceptInvitation } from "./useAccept";

const HOME_LINK = "/sign-in?next=/invite";

export function UnknownInvitation() {
  return (
    <>
      <p>The link may be incomplete. Copy all of it from the message, or ask for a new one.</p>
      <div><ButtonLink to="/" size="large">To the front page</ButtonLink></div>
    </>
  );
}

export function SignInFirst({ email }: { email: string | null }) {
  return (
    <>
      <p>{email} already has an account. Sign in with it to return to this invitation.</p>
      <div><ButtonLink to={HOME_LINK} variant="primary" size="large">Sign in</ButtonLink></div>
    </>
  );
}

/** Signed in as somebody else, often a colleague on the same computer. */
export function OtherAccount({ me, email }: { me: CurrentUser; email: string | null }) {
  const leaving = useSignOut({ to: "/invite" });
  return (
    <>
      <Notice tone="warn">
        <p>
          You are signed in as {me.email}, and this invitation is for {email}. If you are {email}, sign out
          first; the invitation stays open.
        </p>
      </Notice>
      <div><Button size="large" onPress={leaving.request}>Sign out</Button></div>
      {leaving.dialog}
    </>
  );
}

/** Others saw the link of this account's invitation, so a code from the mail must confirm the address. */
export function ConfirmAddress({ email }: { email: string | null }) {
  const leaving = useSignOut({ to: HOME_LINK });
  return (
    <>
      <Notice tone="warn">
        <p>{email} is not confirmed yet. Sign in once with a code that we send there, then accept the invitation.</p>
      </Notice>
      <div><Button variant="primary" size="large" onPress={leaving.request}>Sign in with a code</Button></div>
      {leaving.dialog}
    </>
  );
}

interface AcceptProps {
  accept: ReturnType<typeof useAcceptInvitation>;
  token: string;
  /** Who is signed in; nobody where the link signs in. */
  me?: CurrentUser;
  children: string;
}

/** For the account with the address of the invitation. */
export function AcceptButton({ accept, token, me, children }: AcceptProps) {
  return (
    <>
      {accept.isError && <Notice tone="bad">{errorMessage(accept.error)}</Notice>}
      <div>
        <Button variant="primary" size="large" isDisabled={accept.isPending} onPress={() => accept.mutate({ token, name: me?.name ?? "" })}>
          {children}
        </Button>
      </div>
    </>
  );
}

interface Props {
  token: string;
  invitation: InvitationPreview;
}

export function ExpiredInvitation({ token, invitation }: Props) {
  if (invitation.state === "accepted") return <UsedInvitation token={token} invitation={invitation} />;
  return (
    <Notice tone="warn">
      {invitation.state === "expired" ? (
        <p>This invitation expired on {formatLongDate(invitation.expires_at)}. Ask {inviterName(invitation)} for a new one.</p>
      ) : <p>This invitation was revoked. For a new one, ask {inviterName(invitation)}.</p>}
    </Notice>
  );
}

function UsedInvitation({ token, invitation }: Props) {
  const me = useCurrentUser();
  const accept = useAcceptInvitation();
  if (me && isSameEmail(me.email, invitation.email)) {
    return (
      <>
        <p>You have accepted this invitation already.</p>
        <AcceptButton accept={accept} token={token} me={me}>Continue</AcceptButton>
      </>
    );
  }
  return (
    <>
      <p>This invitation was already used. If you accepted it, sign in. If not, ask {inviterName(invitation)} for a new one.</p>
      <div>{!me && <ButtonLink to={HOME_LINK} variant="primary" size="large">Sign in</ButtonLink>}</div>
    </>
  );
}
