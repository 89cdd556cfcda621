import { useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { Id } from "@/api/contract";
import type { components } from "@/api/generated/schema";
import { Button, ButtonLink } from "@/components/Button";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { Dialog, DialogActions } from "@/components/Dialog";
import { formatCount, formatPlural } from "@/lib/format";
import { useMutation } from "@/lib/useMutation";

type StoredQueries = components["schemas"]["WrittenQueries"];

/** The queries of a closed study as a question set, and how many other experts have verified. */
export function QueriesButton({ study, isOpen }: { study: Id; isOpen: boolean }) {
  const [isConfirming, setConfirming] = useState(false);
  const queries = useQueryClient();
  const store = useMutation({
    mutationFn: () => request<StoredQueries>(`/api/v1/studies/${study}/queries`, { method: "POST" }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["question-sets"] }),
  });
  const close = () => {
    setConfirming(false);
    store.reset();
  };
  if (isOpen) return null;
  return (
    <>
      <Button variant="primary" onPress={() => setConfirming(true)}>Queries and verdicts</Button>
      <ConfirmDialog
        title="Store the queries as a question set?"
        isOpen={isConfirming && !store.data}
        onClose={close}
        confirmLabel="Store them"
        busyLabel="Storing them"
        onConfirm={() => store.mutate()}
        mutation={store}
      >
        <p>Each query becomes a question whose answer is its entity, without its author. Queries that are stored already stay.</p>
        <p>To verify them, create a study of ratings of this set with other experts.</p>
      </ConfirmDialog>
      {store.data && <StoredDialog stored={store.data} onClose={close} />}
    </>
  );
}

function StoredDialog({ stored, onClose }: { stored: StoredQueries; onClose: () => void }) {
  const { name, added, verified, refuted, divided, unverified } = stored;
  return (
    <Dialog title="Queries and verdicts" isOpen onOpenChange={(open) => !open && onClose()}>
      <p>The set ‘{name}’ has {formatPlural(stored.queries, "query", "queries")}, {formatCount(added)} of them new.</p>
      <p>Verified by other experts: {formatCount(verified)}. Refuted: {formatCount(refuted)}. Divided: {formatCount(divided)}. Not rated yet: {formatCount(unverified)}.</p>
      <DialogActions>
        <Button size="large" onPress={onClose}>Close</Button>
        <ButtonLink to="/studies/new?from=question-set" variant="primary" size="large">Create a study of ratings</ButtonLink>
      </DialogActions>
    </Dialog>
  );
}
