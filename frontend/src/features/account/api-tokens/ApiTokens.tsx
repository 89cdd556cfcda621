import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/Button";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { ACTIONS_COLUMN, DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { formatLongDate } from "@/lib/format";
import { useNow } from "@/lib/useNow";
import styles from "../Account.module.css";
import { NewTokenDialog } from "./NewTokenDialog";
import { tokensQuery, tokenState, useRevokeToken, type ApiToken } from "./tokens";

export function ApiTokens() {
  const tokens = useQuery(tokensQuery);
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiToken | null>(null);
  return (
    <>
      <p className={styles.note}>With a token, a program submits predictions and reads your scores. Keep it as secret as a password.</p>
      <QueryBoundary query={tokens} skeleton={<SkeletonRows rows={2} />} empty={<EmptyState>You have no token yet.</EmptyState>}>
        {(rows) => (
          <DataTable label="Your tokens" minWidth={560} folds columns={["Name", "May", "Last use", "State", ACTIONS_COLUMN]}>
            {rows.map((token) => <Row key={token.id} token={token} onRevoke={() => setRevoking(token)} />)}
          </DataTable>
        )}
      </QueryBoundary>
      <div><Button size="large" onPress={() => setCreating(true)}>Create a token</Button></div>
      <NewTokenDialog isOpen={creating} onClose={() => setCreating(false)} />
      <RevokeDialog key={revoking?.id} token={revoking} onClose={() => setRevoking(null)} />
    </>
  );
}

const SCOPE_LABELS = { read: "read", submit: "read and submit" };

function Row({ token, onRevoke }: { token: ApiToken; onRevoke: () => void }) {
  const state = tokenState(token, useNow(true, 60_000));
  return (
    <tr>
      <th scope="row">{token.name} <span className={styles.note}>{token.prefix}…</span></th>
      <td>{SCOPE_LABELS[token.scope]}</td>
      <td>{token.last_used_at ? formatLongDate(token.last_used_at) : "never"}</td>
      <td>{state === "usable" ? `until ${formatLongDate(token.expires_at)}` : state}</td>
      <td data-action>{state === "usable" && <Button onPress={onRevoke} aria-label={`Revoke ${token.name}`}>Revoke</Button>}</td>
    </tr>
  );
}

function RevokeDialog({ token, onClose }: { token: ApiToken | null; onClose: () => void }) {
  const revoke = useRevokeToken();
  return (
    <ConfirmDialog
      title={`Revoke ${token?.name}?`}
      isOpen={token !== null}
      onClose={onClose}
      confirmLabel="Revoke it"
      busyLabel="Revoking"
      onConfirm={() => token && revoke.mutate(token.id, { onSuccess: onClose })}
      mutation={revoke}
    >
      <p>Programs that use this token are refused from now on. What they submitted stays.</p>
    </ConfirmDialog>
  );
}
