import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { confirmCode, requestCode } from "@/api/auth";
import { Button } from "@/components/Button";
import { EnterCode } from "@/components/sign-in/EnterCode";
import { SendCode } from "@/components/sign-in/SendCode";
import { TextField } from "@/components/TextField";
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
    <SendCode onSend={() => send.mutate(email)} busy={send.isPending} error={send.error} isReady={email !== ""}>
      <TextField
        label="E-mail"
        type="email"
        autoComplete="email"
        hint="The address that your invitation came to."
        value={email}
        onChange={onEmail}
        isRequired
      />
    </SendCode>
  );
}

interface StepProps {
  sentTo: string;
  onAgain: () => void;
  againError: Error | null;
  onOther: () => void;
}

function CodeStep({ sentTo, onAgain, againError, onOther }: StepProps) {
  const arrive = useArrive();
  const confirm = useMutation({
    mutationFn: async (code: string) => {
      await confirmCode(code);
      await arrive();
    },
  });
  return (
    <EnterCode
      sent={`If ${sentTo} has an account here, a code is on its way to it.`}
      error={againError ?? confirm.error}
      busy={confirm.isPending}
      onCode={(code) => confirm.mutate(code)}
      onAgain={() => {
        confirm.reset();
        onAgain();
      }}
    >
      <Button look="quiet" size="large" onPress={onOther}>
        Use another address
      </Button>
    </EnterCode>
  );
}
