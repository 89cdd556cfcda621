import { useState } from "react";
import { signInWithPassword } from "@/api/auth";
import { Button } from "@/components/Button";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { TextField } from "@/components/TextField";
import { authSentence } from "@/lib/authWords";
import { useRenewal } from "./useRenewal";

export function ByPassword({ email }: { email: string }) {
  const [password, setPassword] = useState("");
  const renewal = useRenewal((given: string) => signInWithPassword(email, given));
  return (
    <Form onSubmit={() => renewal.mutate(password)}>
      {renewal.isError && <Notice tone="bad">{authSentence(renewal.error)}</Notice>}
      {/* So that a password manager knows whose password it is. */}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        autoFocus
        value={password}
        onChange={setPassword}
        isRequired
      />
      <FormActions>
        <Button type="submit" look="primary" size="large" isDisabled={renewal.isPending || !password}>
          {renewal.isPending ? "Signing in" : "Sign in"}
        </Button>
      </FormActions>
    </Form>
  );
}
