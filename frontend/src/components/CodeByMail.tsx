import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Refused, requestCode } from "@/api/auth";
import { authSentence } from "@/lib/authWords";
import { Button } from "./Button";
import { Form, FormActions } from "./Form";
import { Notice } from "./Notice";
import { TextField } from "./TextField";

interface Props {
  email: string;
  /** The button that sends a code; the one that uses it, and the same while it is at work. */
  words: { ask: string; use: string; using: string };
  using: { mutate: (code: string) => void; reset: () => void; error: Error | null; isPending: boolean };
}

/** A code sent to an address that is known, and what is done with it. */
export function CodeByMail({ email, words, using }: Props) {
  const [code, setCode] = useState("");
  const send = useMutation({ mutationFn: () => requestCode(email), onSuccess: () => setCode("") });
  const error = using.error ?? send.error;
  if (!send.isSuccess) {
    return (
      <Form onSubmit={() => send.mutate()}>
        {send.isError && <Notice tone="bad">{authSentence(send.error)}</Notice>}
        <FormActions>
          <Button type="submit" look="primary" size="large" isDisabled={send.isPending}>
            {send.isPending ? "Sending" : words.ask}
          </Button>
        </FormActions>
      </Form>
    );
  }
  return (
    <Form onSubmit={() => using.mutate(code.trim())}>
      {error ? (
        <Notice tone="bad">{codeSentence(error)}</Notice>
      ) : (
        <Notice>A code is on its way to {email}. It works for ten minutes.</Notice>
      )}
      <TextField label="Code" autoComplete="one-time-code" autoFocus value={code} onChange={setCode} isRequired />
      <FormActions>
        <Button type="submit" look="primary" size="large" isDisabled={using.isPending || !code.trim()}>
          {using.isPending ? words.using : words.use}
        </Button>
        <Button
          look="quiet"
          size="large"
          onPress={() => {
            using.reset();
            send.mutate();
          }}
        >
          Send a new code
        </Button>
      </FormActions>
    </Form>
  );
}

/** 409: no code is waited for any more. */
function codeSentence(error: Error): string {
  if (error instanceof Refused && error.status === 409) {
    return "This code no longer works: ten minutes have passed, or it was tried too often. Send a new code.";
  }
  return authSentence(error);
}
