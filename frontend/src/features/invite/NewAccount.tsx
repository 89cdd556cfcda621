import { useState } from "react";
import { Link } from "react-router";
import { Problem } from "@/api/client";
import type { Offer } from "@/api/contract";
import { Button } from "@/components/Button";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { TextField } from "@/components/TextField";
import { longDay } from "@/lib/format";
import { hasCode, sentenceOf } from "@/lib/problems";
import { SIGN_IN, SignInFirst } from "./NotOpen";
import type { Accepting } from "./useAccept";

interface Props {
  token: string;
  offer: Offer;
  inviter: string | null;
  accept: Accepting;
}

export function NewAccount({ token, offer, inviter, accept }: Props) {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  // A role of the site waits for a code by mail, which would end a password at once.
  const keepsPassword = offer.study !== null || inviter === null;
  if (hasCode(accept.error, "sign_in_first")) return <SignInFirst email={offer.email} />;
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
      {keepsPassword && (
        <TextField
          label="Password (may stay empty)"
          hint={`Without one you sign in with a code sent to ${offer.email}.`}
          type="password"
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
          error={faultAt("password")}
        />
      )}
      <FormActions>
        <Button type="submit" look="primary" size="large" isDisabled={accept.isPending || !name.trim()}>
          {accept.isPending ? "Accepting" : "Accept the invitation"}
        </Button>
        <span>Open until {longDay(offer.expires_at)}</span>
      </FormActions>
      <p>
        If {offer.email} has an account here already, <Link to={SIGN_IN}>sign in</Link> first.
      </p>
    </Form>
  );
}

function faultsOf(error: unknown): (place: string) => string | undefined {
  const faults = error instanceof Problem ? error.body.errors : [];
  return (place) => faults.find((fault) => fault.place === place)?.message;
}
