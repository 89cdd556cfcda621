import type { ReactNode } from "react";
import { Button } from "@/components/Button";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { authSentence } from "@/lib/authWords";

interface Props {
  onSend: () => void;
  busy: boolean;
  error: Error | null;
  isReady?: boolean;
  /** Where the address is asked for. */
  children?: ReactNode;
}

/** The first step of signing in by code: have one sent. */
export function SendCode({ onSend, busy, error, isReady = true, children }: Props) {
  return (
    <Form onSubmit={onSend}>
      {error && <Notice tone="bad">{authSentence(error)}</Notice>}
      {children}
      <FormActions>
        <Button type="submit" look="primary" size="large" isDisabled={busy || !isReady}>
          {busy ? "Sending" : "Send me a code"}
        </Button>
      </FormActions>
    </Form>
  );
}
