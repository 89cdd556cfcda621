import { useState, type ReactNode } from "react";
import { Button } from "@/components/Button";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { TextField } from "@/components/TextField";
import { codeSentence } from "@/lib/authWords";

interface Props {
  /** Where the code went. */
  sent: string;
  error: Error | null;
  busy: boolean;
  onCode: (code: string) => void;
  onAgain: () => void;
  /** Other ways on. */
  children?: ReactNode;
}

/** The second step: the code that came. A refused one stays in its field. */
export function EnterCode({ sent, error, busy, onCode, onAgain, children }: Props) {
  const [code, setCode] = useState("");
  const again = () => {
    setCode("");
    onAgain();
  };
  return (
    <Form onSubmit={() => onCode(code.trim())}>
      {error ? <Notice tone="bad">{codeSentence(error)}</Notice> : <Notice>{sent} It works for ten minutes.</Notice>}
      <TextField label="Code" autoComplete="one-time-code" autoFocus value={code} onChange={setCode} isRequired />
      <FormActions>
        <Button type="submit" look="primary" size="large" isDisabled={busy || !code.trim()}>
          {busy ? "Signing in" : "Sign in"}
        </Button>
        <Button look="quiet" size="large" onPress={again}>
          Send a new code
        </Button>
        {children}
      </FormActions>
    </Form>
  );
}
