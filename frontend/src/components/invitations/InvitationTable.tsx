import { useState } from "react";
import { Button } from "@/components/Button";
import { Confirm } from "@/components/Confirm";
import { DataTable } from "@/components/DataTable";
import { Empty } from "@/components/Empty";
import { Failure } from "@/components/Loadable";
import { SkeletonRows } from "@/components/SkeletonRows";
import { INVITATION_WORDS, ROLE_WORDS } from "@/lib/words";
import { useInvitations, useRevoke, type ListedInvitation } from "./invitations";
import styles from "./Invitations.module.css";
import { batchesInWords, dateOf } from "./words";

interface Props {
  path: string;
  /** How an empty list is filled. */
  whenEmpty: string;
}

/** Who was invited, by whom, what became of it. */
export function InvitationTable({ path, whenEmpty }: Props) {
  const invitations = useInvitations(path);
  const [revoking, setRevoking] = useState<ListedInvitation | null>(null);
  if (invitations.data) {
    const rows = invitations.data;
    if (rows.length === 0) return <Empty>{whenEmpty}</Empty>;
    return (
      <>
        <Rows rows={rows} onRevoke={setRevoking} />
        {invitations.hasNextPage && (
          <div>
            <Button onPress={() => void invitations.fetchNextPage()} isDisabled={invitations.isFetchingNextPage}>
              {invitations.isFetchingNextPage ? "Reading more" : "Show more"}
            </Button>
          </div>
        )}
        <Revoke key={revoking?.id} path={path} row={revoking} onClose={() => setRevoking(null)} />
      </>
    );
  }
  if (!invitations.isError) return <SkeletonRows rows={3} />;
  const retry = () => void invitations.refetch();
  return <Failure error={invitations.error} onRetry={retry} busy={invitations.isFetching} />;
}

interface RowsProps {
  rows: ListedInvitation[];
  onRevoke: (row: ListedInvitation) => void;
}

function Rows({ rows, onRevoke }: RowsProps) {
  return (
    <DataTable label="Who was invited" minWidth={760}>
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
      <tbody>
        {rows.map((row) => (
          <Row key={row.id} row={row} onRevoke={() => onRevoke(row)} />
        ))}
      </tbody>
    </DataTable>
  );
}

function Row({ row, onRevoke }: { row: ListedInvitation; onRevoke: () => void }) {
  return (
    <tr>
      <th scope="row" className={styles.email}>
        {row.email}
      </th>
      <td>
        {ROLE_WORDS[row.role]}
        {row.batches && row.batches.length > 0 && (
          <span className={styles.quiet}>, {batchesInWords(row.batches)}</span>
        )}
      </td>
      <td>
        {INVITATION_WORDS[row.state]} <span className={styles.quiet}>{dateOf(row)}</span>
      </td>
      <td>{row.invited_by ?? <span className={styles.quiet}>a command on the server</span>}</td>
      <td data-action>
        {row.state === "open" && (
          <Button onPress={onRevoke} aria-label={`Revoke the invitation of ${row.email}`}>
            Revoke
          </Button>
        )}
      </td>
    </tr>
  );
}

interface RevokeProps {
  path: string;
  row: ListedInvitation | null;
  onClose: () => void;
}

function Revoke({ path, row, onClose }: RevokeProps) {
  const revoke = useRevoke(path);
  return (
    <Confirm
      title="Revoke this invitation?"
      isOpen={row !== null}
      onClose={onClose}
      action="Revoke it"
      doing="Revoking"
      onConfirm={() => row && revoke.mutate(row.id, { onSuccess: onClose })}
      busy={revoke.isPending}
      error={revoke.error}
    >
      <p>The link sent to {row?.email} will no longer open. You can invite the same address again.</p>
    </Confirm>
  );
}
