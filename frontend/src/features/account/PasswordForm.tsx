import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { changePassword } from "@/api/auth";
import type { Me } from "@/api/contract";
import { Button } from "@/components/Button";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { TextField } from "@/components/TextField";
import { authFieldSentence, authSentence } from "@/lib/authWords";
import { meQuery } from "@/lib/me";

export function PasswordForm({ me }: { me: Me }) {
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: () => changePassword(me.has_password ? current : null, next),
    onSuccess: async () => {
      setCurrent("");
      setNext("");
      await queries.invalidateQueries({ queryKey: meQuery.queryKey });
    },
  });
  const wrongCurrent = authFieldSentence(change.error, "current_password");
  const wrongNext = authFieldSentence(change.error, "new_password");
  return (
    <Form onSubmit={() => change.mutate()}>
      {change.isError && !wrongCurrent && !wrongNext && (
        <Notice tone="bad">{authSentence(change.error)}</Notice>
      )}
      {change.isSuccess && <Notice tone="good">The new password is set.</Notice>}
      {me.has_password && (
        <TextField
          label="Current password"
          type="password"
          autoComplete="current-password"
          value={current}
          onChange={setCurrent}
          error={wrongCurrent}
        />
      )}
      <TextField
        label={me.has_password ? "New password" : "Password"}
        type="password"
        autoComplete="new-password"
        hint={
          me.has_password
            ? "At least eight characters."
            : "At least eight characters. Without one you sign in with a code sent to you."
        }
        value={next}
        onChange={setNext}
        error={wrongNext}
      />
      <FormActions>
        <Button
          type="submit"
          size="large"
          isDisabled={!next || (me.has_password && !current) || change.isPending}
        >
          {me.has_password ? "Change the password" : "Set a password"}
        </Button>
      </FormActions>
    </Form>
  );
}
