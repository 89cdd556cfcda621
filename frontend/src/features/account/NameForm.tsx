import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "@/api/client";
import type { Me } from "@/api/contract";
import { Button } from "@/components/Button";
import { Form, FormActions } from "@/components/Form";
import { TextField } from "@/components/TextField";
import { meQuery } from "@/lib/me";
import { sentenceOf } from "@/lib/problems";

export function NameForm({ me }: { me: Me }) {
  const [name, setName] = useState(me.name);
  const queries = useQueryClient();
  const rename = useMutation({
    mutationFn: () =>
      call<{ user: Me | null }>("/api/v1/me", { method: "PATCH", json: { name } }),
    onSuccess: ({ user }) => queries.setQueryData(meQuery.queryKey, user),
  });
  const unchanged = name === me.name;
  return (
    <Form onSubmit={() => rename.mutate()}>
      <TextField
        label="Your name"
        autoComplete="name"
        hint="The coordinators of your studies see it beside your answers."
        value={name}
        onChange={setName}
        error={rename.isError ? sentenceOf(rename.error) : undefined}
      />
      <FormActions>
        <Button type="submit" size="large" isDisabled={unchanged || !name.trim() || rename.isPending}>
          Save my name
        </Button>
        <span role="status">{rename.isSuccess && unchanged ? "Saved" : ""}</span>
      </FormActions>
    </Form>
  );
}
