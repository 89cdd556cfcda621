import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { signInWithPassword } from "@/api/auth";
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

export function PasswordSignIn({ email, onEmail }: Props) {
  const [password, setPassword] = useState("");
  const arrive = useArrive();
  const signIn = useMutation({
    mutationFn: async () => {
      await signInWithPassword(email, password);
      await arrive();
    },
  });
  return (
    <Form onSubmit={() => signIn.mutate()}>
      {signIn.isError && <Notice tone="bad">{authSentence(signIn.error)}</Notice>}
      <TextField
        label="E-mail"
        type="email"
        autoComplete="username"
        value={email}
        onChange={onEmail}
        isRequired
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        isRequired
      />
      <FormActions>
        <Button type="submit" look="primary" size="large" isDisabled={signIn.isPending || !email || !password}>
          {signIn.isPending ? "Signing in" : "Sign in"}
        </Button>
        <Link to="/reset-password">Forgotten the password</Link>
      </FormActions>
    </Form>
  );
}
