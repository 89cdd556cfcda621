import type { InvitationPreview, Me } from "@/api/contract";
import { Button, ButtonLink } from "@/components/Button";
import { Notice } from "@/components/Notice";
import { useSignOut } from "@/components/SignOut";
import { longDay } from "@/lib/format";
import { useMe } from "@/lib/me";
import { sentenceOf } from "@/lib/problems";
import { useAccept } from "./useAccept";
import { inviterOf, sameAddress } from "./words";

const BACK = "/sign-in?next=/invite";

export function UnknownInvitation() {
  return (
    <>
      <p>
        The link may have been cut short on its way. Copy the whole of it from the message, or ask for a
        new one.
      </p>
      <div>
        <ButtonLink to="/" size="large">
          To the front page
        </ButtonLink>
      </div>
    </>
  );
}

export function SignInFirst({ email }: { email: string | null }) {
  return (
    <>
      <p>{email} has an account here already. Sign in as it, and you come back to this invitation.</p>
      <div>
        <ButtonLink to={BACK} look="primary" size="large">
          Sign in
        </ButtonLink>
      </div>
    </>
  );
}

/** Signed in as somebody else, often a colleague on the same computer. */
export function OtherAccount({ me, email }: { me: Me; email: string | null }) {
  const leaving = useSignOut({ to: "/invite" });
  return (
    <>
      <Notice tone="warn">
        <p>
          You are signed in as {me.email}, and this invitation is for {email}. If you are {email}, sign out
          first; the invitation stays open.
        </p>
      </Notice>
      <div>
        <Button size="large" onPress={leaving.ask}>
          Sign out
        </Button>
      </div>
      {leaving.dialog}
    </>
  );
}

/** Her account came from a link that others saw, so more is given only after a code from her mail. */
export function ConfirmAddress({ email }: { email: string | null }) {
  const leaving = useSignOut({ to: BACK });
  return (
    <>
      <Notice tone="warn">
        <p>
          {email} is not confirmed yet. Sign in with a code that we send there, once, and you come back to
          this invitation.
        </p>
      </Notice>
      <div>
        <Button look="primary" size="large" onPress={leaving.ask}>
          Sign in with a code
        </Button>
      </div>
      {leaving.dialog}
    </>
  );
}

interface Props {
  token: string;
  invitation: InvitationPreview;
}

export function NoLongerOpen({ token, invitation }: Props) {
  if (invitation.state === "accepted") return <AlreadyUsed token={token} invitation={invitation} />;
  return (
    <Notice tone="warn">
      {invitation.state === "expired" ? (
        <p>
          This invitation ran out on {longDay(invitation.expires_at)}. Ask {inviterOf(invitation)} for a
          new one.
        </p>
      ) : (
        <p>
          This invitation was taken back. If that surprises you, ask {inviterOf(invitation)}.
        </p>
      )}
    </Notice>
  );
}

function AlreadyUsed({ token, invitation }: Props) {
  const me = useMe();
  const accept = useAccept();
  if (me && sameAddress(me.email, invitation.email)) {
    return (
      <>
        <p>You have accepted this invitation already.</p>
        {accept.isError && <Notice tone="bad">{sentenceOf(accept.error)}</Notice>}
        <div>
          <Button
            look="primary"
            size="large"
            isDisabled={accept.isPending}
            onPress={() => accept.mutate({ token, name: me.name })}
          >
            Continue
          </Button>
        </div>
      </>
    );
  }
  return (
    <>
      <p>
        This invitation has been used; it works once. If it was you, sign in. If not, ask{" "}
        {inviterOf(invitation)} for one of your own.
      </p>
      <div>
        {!me && (
          <ButtonLink to={BACK} look="primary" size="large">
            Sign in
          </ButtonLink>
        )}
      </div>
    </>
  );
}
