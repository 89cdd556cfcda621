import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { request } from "@/api/client";
import type { WebhookHost } from "@/api/contract";
import { Button } from "@/components/Button";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { ACTIONS_COLUMN, DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { QueryBoundary } from "@/components/QueryBoundary";
import { ResultStatus } from "@/components/ResultStatus";
import { SkeletonRows } from "@/components/SkeletonRows";
import { TextField } from "@/components/TextField";
import { errorMessage } from "@/lib/errorMessages";
import { readListQuery } from "@/lib/readQuery";
import { useMutation } from "@/lib/useMutation";
import styles from "./People.module.css";

const HOSTS_URL = "/api/v1/webhook-hosts";
const HOSTS_QUERY = readListQuery<WebhookHost>(["webhook-hosts"], HOSTS_URL);

function useHostMutation<Input>(send: (input: Input) => Promise<unknown>, onDone: (input: Input) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSettled: async (_, error, input) => {
      await queries.invalidateQueries({ queryKey: HOSTS_QUERY.queryKey });
      if (error === null) onDone(input);
    },
  });
}

/** Where coordinators may send events of their studies. */
export function WebhookHosts() {
  const hosts = useQuery(HOSTS_QUERY);
  const [removed, setRemoved] = useState<WebhookHost | null>(null);
  const [result, setResult] = useState("");
  const remove = useHostMutation(
    ({ id }: WebhookHost) => request<null>(`${HOSTS_URL}/${id}`, { method: "DELETE" }),
    ({ host }) => {
      setRemoved(null);
      setResult(`${host} is removed.`);
    },
  );
  const open = (host: WebhookHost) => {
    remove.reset();
    setRemoved(host);
  };
  return (
    <section className={styles.section} aria-labelledby="hosts-heading">
      <h2 id="hosts-heading">Hosts of webhooks</h2>
      <p className={styles.quiet}>Coordinators can send events of their studies to these hosts alone, by https.</p>
      <NewHost />
      {result && <ResultStatus message={result} />}
      <QueryBoundary query={hosts} skeleton={<SkeletonRows rows={1} />} empty={<EmptyState>No host is allowed, so that no webhook can be added.</EmptyState>}>
        {(rows) => (
          <DataTable label="Hosts that webhooks may call" columns={["Host", ACTIONS_COLUMN]}>
            {rows.map((row) => (
              <tr key={row.id}>
                <th scope="row">{row.host}</th>
                <td data-action><Button onPress={() => open(row)} aria-label={`Remove ${row.host}`}>Remove</Button></td>
              </tr>
            ))}
          </DataTable>
        )}
      </QueryBoundary>
      {removed && (
        <ConfirmDialog title={`Remove ${removed.host}?`} isOpen onClose={() => setRemoved(null)} confirmLabel="Remove it" busyLabel="Removing" onConfirm={() => remove.mutate(removed)} mutation={remove}>
          <p>No webhook to this host can be added, and nothing more is sent to it.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

function NewHost() {
  const [host, setHost] = useState("");
  const add = useHostMutation((json: { host: string }) => request<WebhookHost>(HOSTS_URL, { method: "POST", json }), () => setHost(""));
  const isReady = host.trim() !== "" && !add.isPending;
  return (
    <Form onSubmit={() => isReady && add.mutate({ host })}>
      <div className={styles.controls}>
        <TextField label="Host" hint="Such as hooks.example.org, with its port unless it is 443." value={host} onChange={setHost} />
        <FormActions><Button type="submit" isDisabled={!isReady}>Allow it</Button></FormActions>
      </div>
      {add.isError && <Notice tone="bad">{errorMessage(add.error)}</Notice>}
    </Form>
  );
}
