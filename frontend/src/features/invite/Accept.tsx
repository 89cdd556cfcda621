import type { Me, Offer } from "@/api/contract";
import { Button } from "@/components/Button";
import { ConfirmAddress } from "@/components/ConfirmAddress";
import { FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { SkeletonRows } from "@/components/SkeletonRows";
import { longDay } from "@/lib/format";
import { useMe } from "@/lib/me";
import { hasCode, sentenceOf } from "@/lib/problems";
import { NewAccount } from "./NewAccount";
import { OtherAccount } from "./NotOpen";
import { useAccept, type Accepting } from "./useAccept";
import { sameAddress } from "./words";

interface Props {
  token: string;
  offer: Offer;
  /** Nobody: the server's own operator. */
  inviter: string | null;
}

/** An open invitation: what accepting it takes depends on who is reading. */
export function Accept({ token, offer, inviter }: Props) {
  const me = useMe();
  const accept = useAccept();
  if (me === undefined) return <SkeletonRows rows={2} height={48} />;
  if (!me) return <NewAccount token={token} offer={offer} inviter={inviter} accept={accept} />;
  if (!sameAddress(me.email, offer.email) || hasCode(accept.error, "other_account")) {
    return <OtherAccount me={me} email={offer.email} />;
  }
  const again = () => accept.mutate({ token, name: me.name });
  if (accept.data?.confirm_address) {
    return (
      <>
        <p>This invitation opens once you have shown that {me.email} is yours.</p>
        <ConfirmAddress me={me} onConfirmed={again} />
      </>
    );
  }
  return <AcceptAs offer={offer} me={me} accept={accept} onAccept={again} />;
}

interface AsProps {
  offer: Offer;
  me: Me;
  accept: Accepting;
  onAccept: () => void;
}

function AcceptAs({ offer, me, accept, onAccept }: AsProps) {
  return (
    <>
      {accept.isError && <Notice tone="bad">{sentenceOf(accept.error)}</Notice>}
      <p>
        Open until {longDay(offer.expires_at)}. You are signed in as {me.email}.
      </p>
      <FormActions>
        <Button look="primary" size="large" isDisabled={accept.isPending} onPress={onAccept}>
          Accept the invitation
        </Button>
      </FormActions>
    </>
  );
}
