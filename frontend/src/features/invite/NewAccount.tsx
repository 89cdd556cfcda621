import { useState } from "react";
import { Problem } from "@/api/client";
import type { InvitationPreview } from "@/api/contract";
import { Button } from "@/components/Button";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { TextField } from "@/components/TextField";
import { longDay } from "@/lib/format";
import { hasCode, sentenceOf } from "@/lib/problems";
import { SignInFirst } from "./NotOpen";
import { useAccept } from "./useAccept";

interface Props {
  token: string;
  invitation: InvitationPreview;
}

export function NewAccount({ token, invitation }: Props) {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const accept = useAccept();
  if (hasCode(accept.error, "sign_in_first")) return <SignInFirst email={invitation.email} />;
  const faultAt = faultsOf(accept.error);
  const general = accept.isError && !faultAt("name") && !faultAt("password");
  const send = () => accept.mutate({ token, name, ...(password && { password }) });
  return (
    <Form onSubmit={send}>
      {general && <Notice tone="bad">{sentenceOf(accept.error)}</Notice>}
      <TextField
        label="Your name"
        hint="The study's coordinators see it beside your answers."
        autoComplete="name"
        value={name}
        onChange={setName}
        error={faultAt("name")}
        isRequired
      />
      <TextField
        label="Password (may stay empty)"
        hint={`Without one you sign in with a code sent to ${invitation.email}.`}
        type="password"
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
        error={faultAt("password")}
      />
      <FormActions>
        <Button type="submit" look="primary" size="large" isDisabled={accept.isPending || !name.trim()}>
          {accept.isPending ? "Accepting" : "Accept the invitation"}
        </Button>
        <span>Open until {longDay(invitation.expires_at)}</span>
      </FormActions>
    </Form>
  );
}

function faultsOf(error: unknown): (place: string) => string | undefined {
  const faults = error instanceof Problem ? error.body.errors : [];
  return (place) => faults.find((fault) => fault.place === place)?.message;
}
