import { useState, type ReactNode } from "react";
import { Button } from "@/components/Button";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { TextField } from "@/components/TextField";
import { authSentence } from "@/lib/authWords";

interface Props {
  /** The field of the address, or the address that a password manager is to know. */
  address: ReactNode;
  isReady?: boolean;
  autoFocus?: boolean;
  error: Error | null;
  busy: boolean;
  onPassword: (password: string) => void;
  /** Other ways on. */
  children?: ReactNode;
}

export function EnterPassword({ address, isReady = true, autoFocus = false, error, busy, onPassword, children }: Props) {
  const [password, setPassword] = useState("");
  return (
    <Form onSubmit={() => onPassword(password)}>
      {error && <Notice tone="bad">{authSentence(error)}</Notice>}
      {address}
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        autoFocus={autoFocus}
        value={password}
        onChange={setPassword}
        isRequired
      />
      <FormActions>
        <Button type="submit" look="primary" size="large" isDisabled={busy || !isReady || !password}>
          {busy ? "Signing in" : "Sign in"}
        </Button>
        {children}
      </FormActions>
    </Form>
  );
}
