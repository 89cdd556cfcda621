import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { confirmCode, Refused, requestCode } from "@/api/auth";
import { Button } from "@/components/Button";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { TextField } from "@/components/TextField";
import { authSentence } from "@/lib/authWords";
import { useArrive } from "./useArrive";

interface Props {
  email: string;
  onEmail: (email: string) => void;
}

/** Two steps: where to send a code, and the code. */
export function CodeSignIn({ email, onEmail }: Props) {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const send = useMutation({ mutationFn: requestCode, onSuccess: (_, to) => setSentTo(to) });
  if (sentTo) {
    return (
      <CodeStep
        sentTo={sentTo}
        onAgain={() => send.mutate(sentTo)}
        againError={send.error}
        onOther={() => setSentTo(null)}
      />
    );
  }
  return (
    <Form onSubmit={() => send.mutate(email)}>
      {send.isError && <Notice tone="bad">{authSentence(send.error)}</Notice>}
      <TextField
        label="E-mail"
        type="email"
        autoComplete="email"
        hint="The address that your invitation came to."
        value={email}
        onChange={onEmail}
        isRequired
      />
      <FormActions>
        <Button type="submit" look="primary" size="large" isDisabled={send.isPending || !email}>
          {send.isPending ? "Sending" : "Send me a code"}
        </Button>
      </FormActions>
    </Form>
  );
}

interface StepProps {
  sentTo: string;
  onAgain: () => void;
  againError: Error | null;
  onOther: () => void;
}

function CodeStep({ sentTo, onAgain, againError, onOther }: StepProps) {
  const [code, setCode] = useState("");
  const arrive = useArrive();
  const confirm = useMutation({
    mutationFn: async () => {
      await confirmCode(code.trim());
      await arrive();
    },
  });
  const again = () => {
    confirm.reset();
    setCode("");
    onAgain();
  };
  const error = againError ?? confirm.error;
  return (
    <Form onSubmit={() => confirm.mutate()}>
      {error ? (
        <Notice tone="bad">{codeSentence(error)}</Notice>
      ) : (
        <Notice>
          If {sentTo} has an account here, a code is on its way to it. It works for ten minutes.
        </Notice>
      )}
      <TextField
        label="Code"
        autoComplete="one-time-code"
        autoFocus
        value={code}
        onChange={setCode}
        isRequired
      />
      <FormActions>
        <Button type="submit" look="primary" size="large" isDisabled={confirm.isPending || !code.trim()}>
          {confirm.isPending ? "Signing in" : "Sign in"}
        </Button>
        <Button look="quiet" size="large" onPress={again}>
          Send a new code
        </Button>
        <Button look="quiet" size="large" onPress={onOther}>
          Use another address
        </Button>
      </FormActions>
    </Form>
  );
}

/** 409: no code is waited for any more; it ran out or was tried too often. */
function codeSentence(error: Error): string {
  if (error instanceof Refused && error.status === 409) {
    return "This code no longer works: ten minutes have passed, or it was tried too often. Send a new code.";
  }
  return authSentence(error);
}
