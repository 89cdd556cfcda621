import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { changePassword } from "@/api/auth";
import type { CurrentUser } from "@/api/contract";
import { Button } from "@/components/Button";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { TextField } from "@/components/TextField";
import { authFieldMessage, authMessage } from "@/domains/accounts/authMessages";
import { currentUserQuery } from "@/lib/currentUser";
import { useMutation } from "@/lib/useMutation";

export function PasswordForm({ me }: { me: CurrentUser }) {
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: () => changePassword(me.has_password ? current : null, next),
    onSuccess: async () => {
      setCurrent("");
      setNext("");
      await queries.invalidateQueries({ queryKey: currentUserQuery.queryKey });
    },
  });
  const wrongCurrent = authFieldMessage(change.error, "current_password");
  const wrongNext = authFieldMessage(change.error, "new_password");
  return (
    <Form onSubmit={() => change.mutate()}>
      {change.isError && !wrongCurrent && !wrongNext && <Notice tone="bad">{authMessage(change.error)}</Notice>}
      {change.isSuccess && <Notice tone="good">Your password has changed.</Notice>}
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
        <Button type="submit" size="large" isDisabled={!next || (me.has_password && !current) || change.isPending}>
          {me.has_password ? "Change the password" : "Set a password"}
        </Button>
      </FormActions>
    </Form>
  );
}
