import { useState } from "react";
import { Link } from "react-router";
import { confirmSignInCode, requestSignInCode, signInWithPassword } from "@/api/auth";
import { Button } from "@/components/Button";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { SegmentedControl } from "@/components/SegmentedControl";
import { TextField } from "@/components/TextField";
import { useMutation } from "@/lib/useMutation";
import { authMessage, codeMessage } from "../authMessages";

type SignInMethod = "code" | "password";

const METHODS: { value: SignInMethod; label: string }[] = [
  { value: "code", label: "Code by e-mail" },
  { value: "password", label: "Password" },
];

interface FormProps {
  email: string;
  /** Absent where the account is known. */
  onEmail?: (email: string) => void;
  /** Runs the request that signs in, with what comes before and after it. */
  complete: (signIn: () => Promise<void>) => Promise<void>;
}

export function SignInForms({ initialMethod = "code", ...props }: FormProps & { initialMethod?: SignInMethod }) {
  const [method, setMethod] = useState(initialMethod);
  return (
    <>
      <div><SegmentedControl label="How to sign in" options={METHODS} value={method} onChange={setMethod} /></div>
      {method === "code" ? <CodeForm {...props} /> : <PasswordForm {...props} />}
    </>
  );
}

/** Two steps: where to send a code, and the code. A refused one stays in its field. */
function CodeForm({ email, onEmail, complete }: FormProps) {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [code, setCode] = useState("");
  const send = useMutation({ mutationFn: requestSignInCode, onSuccess: (_, to) => setSentTo(to) });
  const confirm = useMutation({ mutationFn: () => complete(() => confirmSignInCode(code.trim())) });
  if (sentTo === null) {
    return (
      <Form key="address" onSubmit={() => send.mutate(email)}>
        {send.error && <Notice tone="bad">{authMessage(send.error)}</Notice>}
        {onEmail && (
          <TextField
            label="E-mail"
            type="email"
            autoComplete="email"
            hint="The address that your invitation came to."
            value={email}
            onChange={onEmail}
            isRequired
          />
        )}
        <FormActions>
          <Button type="submit" variant="primary" size="large" isDisabled={send.isPending || !email}>
            {send.isPending ? "Sending" : "Send me a code"}
          </Button>
        </FormActions>
      </Form>
    );
  }
  const restart = (next: () => void) => () => {
    setCode("");
    confirm.reset();
    next();
  };
  const error = send.error ?? confirm.error;
  const sent = onEmail ? `If ${sentTo} has an account, we have sent a code to it.` : `A code is on its way to ${sentTo}.`;
  return (
    <Form key="code" onSubmit={() => confirm.mutate()}>
      {error ? <Notice tone="bad">{codeMessage(error)}</Notice> : <Notice>{sent} It works for ten minutes.</Notice>}
      <TextField label="Code" autoComplete="one-time-code" autoFocus value={code} onChange={setCode} isRequired />
      <FormActions>
        <Button type="submit" variant="primary" size="large" isDisabled={confirm.isPending || !code.trim()}>
          {confirm.isPending ? "Signing in" : "Sign in"}
        </Button>
        <Button variant="quiet" size="large" onPress={restart(() => send.mutate(sentTo))}>Send a new code</Button>
        {onEmail && <Button variant="quiet" size="large" onPress={restart(() => setSentTo(null))}>Use another address</Button>}
      </FormActions>
    </Form>
  );
}

function PasswordForm({ email, onEmail, complete }: FormProps) {
  const [password, setPassword] = useState("");
  const signIn = useMutation({ mutationFn: () => complete(() => signInWithPassword(email, password)) });
  return (
    <Form onSubmit={() => signIn.mutate()}>
      {signIn.error && <Notice tone="bad">{authMessage(signIn.error)}</Notice>}
      {onEmail ? (
        <TextField label="E-mail" type="email" autoComplete="username" value={email} onChange={onEmail} isRequired />
      ) : (
        // So that a password manager knows whose password it is.
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      )}
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        autoFocus={!onEmail}
        value={password}
        onChange={setPassword}
        isRequired
      />
      <FormActions>
        <Button type="submit" variant="primary" size="large" isDisabled={signIn.isPending || !email || !password}>
          {signIn.isPending ? "Signing in" : "Sign in"}
        </Button>
        {onEmail && <Link to="/reset-password">Forgot your password?</Link>}
      </FormActions>
    </Form>
  );
}
