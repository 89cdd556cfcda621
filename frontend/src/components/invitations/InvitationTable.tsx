import type { Invitation } from "@/api/contract";
import { Button } from "@/components/Button";
import { DataTable } from "@/components/DataTable";
import { Empty } from "@/components/Empty";
import { Loadable } from "@/components/Loadable";
import { Notice } from "@/components/Notice";
import { SkeletonRows } from "@/components/SkeletonRows";
import { longDay } from "@/lib/format";
import { sentenceOf } from "@/lib/problems";
import { INVITATION_WORDS, ROLE_WORDS } from "@/lib/words";
import { useInvitations, useRevoke } from "./invitations";
import styles from "./Invitations.module.css";

interface Props {
  path: string;
  /** How an empty list is filled. */
  whenEmpty: string;
}

/** Who was invited, by whom, what became of it. */
export function InvitationTable({ path, whenEmpty }: Props) {
  const invitations = useInvitations(path);
  const revoke = useRevoke(path);
  return (
    <Loadable query={invitations} skeleton={<SkeletonRows rows={3} />}>
      {(rows) =>
        rows.length === 0 ? (
          <Empty>{whenEmpty}</Empty>
        ) : (
          <>
            {revoke.isError && <Notice tone="bad">{sentenceOf(revoke.error)}</Notice>}
            <DataTable label="Invitations" minWidth={720}>
              <Head />
              <tbody>
                {rows.map((row) => (
                  <Row
                    key={row.id}
                    row={row}
                    busy={revoke.isPending && revoke.variables === row.id}
                    onRevoke={() => revoke.mutate(row.id)}
                  />
                ))}
              </tbody>
            </DataTable>
          </>
        )
      }
    </Loadable>
  );
}

function Head() {
  return (
    <thead>
      <tr>
        <th scope="col">E-mail</th>
        <th scope="col">Role</th>
        <th scope="col">State</th>
        <th scope="col">Invited by</th>
        <th scope="col">
          <span className="visually-hidden">What can be done</span>
        </th>
      </tr>
    </thead>
  );
}

function Row({ row, busy, onRevoke }: { row: Invitation; busy: boolean; onRevoke: () => void }) {
  return (
    <tr>
      <th scope="row">{row.email}</th>
      <td>
        {ROLE_WORDS[row.role]}
        {row.batches && row.batches.length > 0 && (
          <span className={styles.quiet}> {batchesInWords(row.batches)}</span>
        )}
      </td>
      <td>
        {INVITATION_WORDS[row.state]} <span className={styles.quiet}>{dateOf(row)}</span>
      </td>
      <td>{row.invited_by}</td>
      <td className={styles.action}>
        {row.state === "open" && (
          <Button onPress={onRevoke} isDisabled={busy} aria-label={`Revoke the invitation of ${row.email}`}>
            Revoke
          </Button>
        )}
      </td>
    </tr>
  );
}

function dateOf(row: Invitation): string {
  if (row.state === "accepted" && row.accepted_at) return longDay(row.accepted_at);
  if (row.state === "open") return `until ${longDay(row.expires_at)}`;
  return row.state === "expired" ? longDay(row.expires_at) : "";
}

/** 1, 2, 3, 7 as '1–3, 7'. */
export function batchesInWords(numbers: number[]): string {
  const sorted = [...numbers].sort((a, b) => a - b);
  const runs: [number, number][] = [];
  for (const number of sorted) {
    const run = runs.at(-1);
    if (run && number === run[1] + 1) run[1] = number;
    else runs.push([number, number]);
  }
  const parts = runs.map(([from, to]) => (from === to ? `${from}` : `${from}\u2013${to}`));
  return `${sorted.length === 1 ? "batch" : "batches"} ${parts.join(", ")}`;
}
