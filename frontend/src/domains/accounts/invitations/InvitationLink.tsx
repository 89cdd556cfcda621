import type { CreatedInvitation } from "@/api/contract";
import { CopyText } from "@/components/CopyText";
import { Notice } from "@/components/Notice";
import { formatLongDate } from "@/lib/format";

/** Whether the mail went out, and the link of the invitation, which is shown once. */
export function InvitationLink({ invitation }: { invitation: CreatedInvitation }) {
  const until = formatLongDate(invitation.expires_at);
  return (
    <>
      {invitation.mail_sent ? (
        <p>
          We have sent a message with a link to {invitation.email}. You can also share this link, which is shown only now. It works once, until {until}.
        </p>
      ) : (
        <Notice tone="warn">
          <p>
            No mail was sent to {invitation.email}. Share this link yourself. It works once, until {until}, and is shown here only now.
          </p>
        </Notice>
      )}
      <CopyText label={`Invitation link for ${invitation.email}`} text={invitation.link} />
    </>
  );
}
