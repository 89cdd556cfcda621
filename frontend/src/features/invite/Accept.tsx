import type { InvitationPreview, Me } from "@/api/contract";
import { Button } from "@/components/Button";
import { FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { SkeletonRows } from "@/components/SkeletonRows";
import { longDay } from "@/lib/format";
import { useMe } from "@/lib/me";
import { hasCode, sentenceOf } from "@/lib/problems";
import { NewAccount } from "./NewAccount";
import { ConfirmAddress, OtherAccount, SignInFirst } from "./NotOpen";
import { useAccept } from "./useAccept";
import { sameAddress } from "./words";

interface Props {
  token: string;
  invitation: InvitationPreview;
}

/** An open invitation: what accepting it takes depends on who is reading. */
export function Accept({ token, invitation }: Props) {
  const me = useMe();
  if (me === undefined) return <SkeletonRows rows={2} height={48} />;
  if (me) {
    return sameAddress(me.email, invitation.email) ? (
      <AcceptAs token={token} invitation={invitation} me={me} />
    ) : (
      <OtherAccount me={me} email={invitation.email} />
    );
  }
  if (invitation.has_account) return <SignInFirst email={invitation.email} />;
  return <NewAccount token={token} invitation={invitation} />;
}

function AcceptAs({ token, invitation, me }: Props & { me: Me }) {
  const accept = useAccept();
  if (hasCode(accept.error, "other_account")) return <OtherAccount me={me} email={invitation.email} />;
  if (hasCode(accept.error, "address_unproven")) return <ConfirmAddress email={invitation.email} />;
  return (
    <>
      {accept.isError && <Notice tone="bad">{sentenceOf(accept.error)}</Notice>}
      <p>Open until {longDay(invitation.expires_at)}. You are signed in as {me.email}.</p>
      <FormActions>
        <Button
          look="primary"
          size="large"
          isDisabled={accept.isPending}
          onPress={() => accept.mutate({ token, name: me.name })}
        >
          Accept the invitation
        </Button>
      </FormActions>
    </>
  );
}
