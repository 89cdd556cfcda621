import { useState } from "react";
import type { Dashboard } from "@/api/contract";
import { Button } from "@/components/Button";
import { DataTable } from "@/components/DataTable";
import { Dialog } from "@/components/Dialog";
import { DialogForm } from "@/components/DialogForm";
import { Notice } from "@/components/Notice";
import { GraphSelect } from "@/domains/graphs/GraphSelect";
import { formatCount } from "@/lib/format";
import { findStudyKind } from "@/study-kinds/registry";
import styles from "./Dashboard.module.css";
import { usePinGraph } from "./queries";

type StudyEvidence = NonNullable<Dashboard["evidence"]>;
type MatchCounts = StudyEvidence["candidates"];

/** Which graph shows evidence to the experts, and how much of the study it knows. */
export function EvidenceSection({ board: { study, evidence } }: { board: Dashboard }) {
  const [choosing, setChoosing] = useState(false);
  const ownEvidence = findStudyKind(study.kind)?.ownEvidence;
  const canChoose = study.status === "open" && !evidence?.is_locked && (evidence || !ownEvidence);
  return (
    <section className={styles.section} aria-labelledby="evidence-heading">
      <div className={styles.sectionHead}>
        <h2 id="evidence-heading">Evidence</h2>
        {canChoose && <Button onPress={() => setChoosing(true)}>{evidence ? "Choose another graph" : "Choose a graph"}</Button>}
      </div>
      {evidence ? <PinnedGraph evidence={evidence} /> : <p className={styles.note}>{ownEvidence ?? "This study has no graph, so its experts see no evidence."}</p>}
      {choosing && <PinGraphDialog study={study.id} evidence={evidence} onClose={() => setChoosing(false)} />}
    </section>
  );
}

function PinnedGraph({ evidence }: { evidence: StudyEvidence }) {
  const { graph, is_complete: isComplete, is_locked: isLocked, can_be_looked_up: canBeLookedUp, error } = evidence;
  return (
    <>
      <p>
        <a href={`/explore/${encodeURIComponent(graph.slug)}?${new URLSearchParams({ snapshot: graph.snapshot })}`}>{graph.name}</a>, version{" "}
        {graph.number}
      </p>
      {error && <Notice tone="warn">The names could not be matched: {error}</Notice>}
      {canBeLookedUp && <Notice tone="warn">Experts can look hidden evidence up on this graph’s own pages. Use a graph that is shared with this study alone.</Notice>}
      {isLocked && <p className={styles.note}>Experts have used this graph, so it cannot be changed. Create another study to use another graph.</p>}
      {!isComplete && !error && <Notice>The names of this study are being matched in the graph.</Notice>}
      <DataTable
        label="Study names matched in the graph, by method" folds
        columns={["Names", ...COLUMNS.map(({ label }) => ({ label, isNumeric: true }))]}
      >
        <Row label="Candidates" counts={evidence.candidates} />
        <Row label="Look-up links" counts={evidence.resources} />
      </DataTable>
    </>
  );
}

const COLUMNS: { label: string; of: (counts: MatchCounts) => number }[] = [
  { label: "By identifier", of: ({ identifier }) => identifier },
  { label: "By cross-reference", of: (counts) => counts.cross_reference },
  { label: "By name alone", of: ({ name }) => name },
  { label: "Ambiguous", of: (counts) => counts.several_names + counts.several_references + counts.other_identifier },
  { label: "Not in the graph", of: (counts) => counts.not_in_graph },
];

function Row({ label, counts }: { label: string; counts: MatchCounts }) {
  return (
    <tr>
      <th scope="row">{label}</th>
      {COLUMNS.map(({ label: column, of }) => <td key={column} data-numeric>{formatCount(of(counts))}</td>)}
    </tr>
  );
}

function PinGraphDialog({ study, evidence, onClose }: { study: string; evidence: Dashboard["evidence"]; onClose: () => void }) {
  const [named, setNamed] = useState(evidence ? `${evidence.graph.slug}@${evidence.graph.number}` : "");
  const pin = usePinGraph(study);
  const save = () => pin.mutate(named, { onSuccess: onClose });
  return (
    <Dialog title="Graph for evidence" isOpen onOpenChange={(open) => !open && onClose()}>
      <DialogForm onSubmit={save} onCancel={onClose} submitLabel="Use this graph" busyLabel="Saving" mutation={pin}>
        <GraphSelect value={named} onChange={setNamed} />
      </DialogForm>
    </Dialog>
  );
}
