import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { confirmCode, Refused, requestCode } from "@/api/auth";
import { Button } from "@/components/Button";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { TextField } from "@/components/TextField";
import { authSentence } from "@/lib/authWords";
import { useRenewal } from "./useRenewal";

export function ByCode({ email }: { email: string }) {
  const [code, setCode] = useState("");
  const send = useMutation({ mutationFn: () => requestCode(email), onSuccess: () => setCode("") });
  const renewal = useRenewal((given: string) => confirmCode(given.trim()));
  const error = renewal.error ?? send.error;
  if (!send.isSuccess) {
    return (
      <Form onSubmit={() => send.mutate()}>
        {send.isError && <Notice tone="bad">{authSentence(send.error)}</Notice>}
        <FormActions>
          <Button type="submit" look="primary" size="large" isDisabled={send.isPending}>
            {send.isPending ? "Sending" : "Send me a code"}
          </Button>
        </FormActions>
      </Form>
    );
  }
  return (
    <Form onSubmit={() => renewal.mutate(code)}>
      {error ? (
        <Notice tone="bad">{codeSentence(error)}</Notice>
      ) : (
        <Notice>A code is on its way to {email}. It works for ten minutes.</Notice>
      )}
      <TextField label="Code" autoComplete="one-time-code" autoFocus value={code} onChange={setCode} isRequired />
      <FormActions>
        <Button type="submit" look="primary" size="large" isDisabled={renewal.isPending || !code.trim()}>
          {renewal.isPending ? "Signing in" : "Sign in"}
        </Button>
        <Button
          look="quiet"
          size="large"
          onPress={() => {
            renewal.reset();
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
