import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { request } from "@/api/client";
import type { CurrentUser } from "@/api/contract";
import { Button } from "@/components/Button";
import { Form, FormActions } from "@/components/Form";
import { TextField } from "@/components/TextField";
import { currentUserQuery } from "@/lib/currentUser";
import { errorMessage } from "@/lib/errorMessages";
import { useMutation } from "@/lib/useMutation";

export function NameForm({ me }: { me: CurrentUser }) {
  const [name, setName] = useState(me.name);
  const queries = useQueryClient();
  const rename = useMutation({
    mutationFn: () => request<{ user: CurrentUser | null }>("/api/v1/me", { method: "PATCH", json: { name } }),
    onSuccess: ({ user }) => queries.setQueryData(currentUserQuery.queryKey, user),
  });
  const unchanged = name === me.name;
  return (
    <Form onSubmit={() => rename.mutate()}>
      <TextField
        label="Your name"
        autoComplete="name"
        hint="The coordinators of your studies see it with your answers."
        value={name}
        onChange={setName}
        error={rename.isError ? errorMessage(rename.error) : undefined}
      />
      <FormActions>
        <Button type="submit" size="large" isDisabled={unchanged || !name.trim() || rename.isPending}>Save my name</Button>
        <span role="status">{rename.isSuccess && unchanged ? "Saved" : ""}</span>
      </FormActions>
    </Form>
  );
}
