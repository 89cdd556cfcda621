import { useState } from "react";
import type { InvitationPreview } from "@/api/contract";
import { Button } from "@/components/Button";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { TextField } from "@/components/TextField";
import { errorMessage, fieldMessage, hasErrorCode } from "@/lib/errorMessages";
import { formatLongDate } from "@/lib/format";
import { SignInFirst } from "./InvitationUnavailable";
import { useAcceptInvitation } from "./useAccept";

export function NewAccountForm({ token, invitation }: { token: string; invitation: InvitationPreview }) {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const accept = useAcceptInvitation();
  if (hasErrorCode(accept.error, "sign_in_first")) return <SignInFirst email={invitation.email} />;
  const [nameError, passwordError] = ["name", "password"].map((field) => fieldMessage(accept.error, field));
  const send = () => accept.mutate({ token, name, ...(password && { password }) });
  return (
    <Form onSubmit={send}>
      {accept.isError && !nameError && !passwordError && <Notice tone="bad">{errorMessage(accept.error)}</Notice>}
      <TextField
        label="Your name"
        hint="The study's coordinators see it with your answers."
        autoComplete="name"
        value={name}
        onChange={setName}
        error={nameError}
        isRequired
      />
      <TextField
        label="Password (may stay empty)"
        hint={`Without one you sign in with a code sent to ${invitation.email}.`}
        type="password"
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
        error={passwordError}
      />
      <FormActions>
        <Button type="submit" variant="primary" size="large" isDisabled={accept.isPending || !name.trim()}>
          {accept.isPending ? "Accepting" : "Accept the invitation"}
        </Button>
        <span>Open until {formatLongDate(invitation.expires_at)}</span>
      </FormActions>
    </Form>
  );
}
