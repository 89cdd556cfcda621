import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "react-router";
import { requestPasswordReset, isResetKeyValid, resetPassword } from "@/api/auth";
import { Button, ButtonLink } from "@/components/Button";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { Page } from "@/components/Page";
import { SkeletonRows } from "@/components/SkeletonRows";
import { TextField } from "@/components/TextField";
import { authMessage } from "@/domains/accounts/authMessages";
import { useMutation } from "@/lib/useMutation";

/** With a key in the fragment: choose a new password. Without: request such a link. */
export function ResetPasswordPage() {
  const key = useLocation().hash.replace(/^#/, "");
  return (
    <Page title={key ? "Choose a new password" : "Reset the password"} width="narrow">
      {key ? <NewPasswordStep key={key} resetKey={key} /> : <RequestResetForm />}
    </Page>
  );
}

function RequestResetForm() {
  const [email, setEmail] = useState("");
  const linkRequest = useMutation({ mutationFn: requestPasswordReset });
  if (linkRequest.isSuccess) {
    return <Notice>If {linkRequest.variables} has an account, we have sent it a link to choose a new password.</Notice>;
  }
  return (
    <Form onSubmit={() => linkRequest.mutate(email)}>
      {linkRequest.isError && <Notice tone="bad">{authMessage(linkRequest.error)}</Notice>}
      <TextField
        label="E-mail"
        type="email"
        autoComplete="email"
        hint="We send a link to choose a new password."
        value={email}
        onChange={setEmail}
        isRequired
      />
      <FormActions>
        <Button type="submit" variant="primary" size="large" isDisabled={linkRequest.isPending || !email}>
          {linkRequest.isPending ? "Sending" : "Send me a link"}
        </Button>
        <ButtonLink to="/sign-in" variant="quiet" size="large">Back to sign in</ButtonLink>
      </FormActions>
    </Form>
  );
}

function NewPasswordStep({ resetKey }: { resetKey: string }) {
  const works = useQuery({ queryKey: ["reset-key", resetKey], queryFn: () => isResetKeyValid(resetKey), gcTime: 0 });
  if (works.isPending) return <SkeletonRows rows={2} height={48} />;
  if (works.data === false) {
    return (
      <>
        <Notice tone="warn">This link has expired or was used before. Request a new one.</Notice>
        <RequestResetForm />
      </>
    );
  }
  return <NewPasswordForm resetKey={resetKey} />;
}

function NewPasswordForm({ resetKey }: { resetKey: string }) {
  const [password, setPassword] = useState("");
  const reset = useMutation({ mutationFn: () => resetPassword(resetKey, password) });
  if (reset.isSuccess) {
    return (
      <>
        <Notice tone="good">Your password has changed. Sign in with it.</Notice>
        <div><ButtonLink to="/sign-in" variant="primary" size="large">Sign in</ButtonLink></div>
      </>
    );
  }
  return (
    <Form onSubmit={() => reset.mutate()}>
      <TextField
        label="New password"
        type="password"
        autoComplete="new-password"
        hint="At least eight characters."
        error={reset.isError ? authMessage(reset.error) : undefined}
        value={password}
        onChange={setPassword}
        isRequired
      />
      <FormActions>
        <Button type="submit" variant="primary" size="large" isDisabled={reset.isPending || !password}>Set this password</Button>
      </FormActions>
    </Form>
  );
}
