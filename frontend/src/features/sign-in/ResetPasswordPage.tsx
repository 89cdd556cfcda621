import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "react-router";
import { requestReset, resetKeyWorks, resetPassword } from "@/api/auth";
import { Button, ButtonLink } from "@/components/Button";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { Page } from "@/components/Page";
import { SkeletonRows } from "@/components/SkeletonRows";
import { TextField } from "@/components/TextField";
import { authSentence } from "@/lib/authWords";

/** With a key in the fragment: choose a new password. Without: ask for such a link. */
export function ResetPasswordPage() {
  const key = useLocation().hash.replace(/^#/, "");
  return (
    <Page title={key ? "Choose a new password" : "Reset the password"} width="narrow">
      {key ? <Choose key={key} resetKey={key} /> : <Request />}
    </Page>
  );
}

function Request() {
  const [email, setEmail] = useState("");
  const ask = useMutation({ mutationFn: requestReset });
  if (ask.isSuccess) {
    return (
      <Notice>
        If {ask.variables} has an account here, a link to choose a new password is on its way to it.
      </Notice>
    );
  }
  return (
    <Form onSubmit={() => ask.mutate(email)}>
      {ask.isError && <Notice tone="bad">{authSentence(ask.error)}</Notice>}
      <TextField
        label="E-mail"
        type="email"
        autoComplete="email"
        hint="A link to choose a new password is sent to it."
        value={email}
        onChange={setEmail}
        isRequired
      />
      <FormActions>
        <Button type="submit" look="primary" size="large" isDisabled={ask.isPending || !email}>
          {ask.isPending ? "Sending" : "Send me a link"}
        </Button>
        <ButtonLink to="/sign-in" look="quiet" size="large">
          Back to sign in
        </ButtonLink>
      </FormActions>
    </Form>
  );
}

function Choose({ resetKey }: { resetKey: string }) {
  const works = useQuery({
    queryKey: ["reset-key", resetKey],
    queryFn: () => resetKeyWorks(resetKey),
    gcTime: 0,
  });
  if (works.isPending) return <SkeletonRows rows={2} height={48} />;
  if (works.data === false) {
    return (
      <>
        <Notice tone="warn">This link no longer works. Links are used once and run out.</Notice>
        <Request />
      </>
    );
  }
  return <NewPassword resetKey={resetKey} />;
}

function NewPassword({ resetKey }: { resetKey: string }) {
  const [password, setPassword] = useState("");
  const reset = useMutation({ mutationFn: () => resetPassword(resetKey, password) });
  if (reset.isSuccess) {
    return (
      <>
        <Notice tone="good">The new password is set. Sign in with it.</Notice>
        <div>
          <ButtonLink to="/sign-in" look="primary" size="large">
            Sign in
          </ButtonLink>
        </div>
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
        error={reset.isError ? authSentence(reset.error) : undefined}
        value={password}
        onChange={setPassword}
        isRequired
      />
      <FormActions>
        <Button type="submit" look="primary" size="large" isDisabled={reset.isPending || !password}>
          Set this password
        </Button>
      </FormActions>
    </Form>
  );
}
