import { useState } from "react";
import type { Board } from "@/api/contract";
import { Button } from "@/components/Button";
import { DataTable } from "@/components/DataTable";
import { Dialog, DialogActions } from "@/components/Dialog";
import { Form } from "@/components/Form";
import { GraphChoice } from "@/components/GraphChoice";
import { Notice } from "@/components/Notice";
import { count } from "@/lib/format";
import { sentenceOf } from "@/lib/problems";
import styles from "./Board.module.css";
import { usePin } from "./queries";

type BoardEvidence = NonNullable<Board["evidence"]>;
type Found = BoardEvidence["candidates"];

/** Which graph shows evidence to the experts, and how much of the study it knows. */
export function EvidenceSection({ board: { study, evidence } }: { board: Board }) {
  const [choosing, setChoosing] = useState(false);
  const isOpen = study.status === "open";
  return (
    <section className={styles.section} aria-labelledby="evidence-heading">
      <div className={styles.sectionHead}>
        <h2 id="evidence-heading">Evidence</h2>
        {isOpen && !evidence?.is_locked && <Button onPress={() => setChoosing(true)}>{evidence ? "Choose another graph" : "Choose a graph"}</Button>}
      </div>
      {evidence ? <Pinned evidence={evidence} /> : <p className={styles.note}>This study names no graph, so its experts see no evidence beside the ranking.</p>}
      {choosing && <Choose study={study.id} evidence={evidence} onClose={() => setChoosing(false)} />}
    </section>
  );
}

function Pinned({ evidence }: { evidence: BoardEvidence }) {
  const { graph, is_complete: isComplete, is_locked: isLocked, fault } = evidence;
  return (
    <>
      <p>
        <a href={`/explore/${encodeURIComponent(graph.slug)}?${new URLSearchParams({ snapshot: graph.snapshot })}`}>{graph.name}</a>, version{" "}
        {graph.number}
      </p>
      {fault && <Notice tone="warn">The names could not be looked up: {fault}</Notice>}
      {isLocked && <p className={styles.note}>Experts have looked at its evidence, so the study keeps this graph. Make another study for another graph.</p>}
      {!isComplete && !fault && <Notice>The names of this study are being looked up in the graph.</Notice>}
      <DataTable label="What of the study was found in the graph, and how">
        <thead>
          <tr>
            <th scope="col">Named</th>
            {COLUMNS.map(({ label }) => (
              <th key={label} scope="col" data-numeric>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Row label="Candidates" found={evidence.candidates} />
          <Row label="To look up" found={evidence.resources} />
        </tbody>
      </DataTable>
    </>
  );
}

const COLUMNS: { label: string; of: (found: Found) => number }[] = [
  { label: "By identifier", of: ({ identifier }) => identifier },
  { label: "By cross-reference", of: (found) => found.cross_reference },
  { label: "By name alone", of: ({ name }) => name },
  { label: "Ambiguous", of: (found) => found.several_names + found.several_references + found.other_identifier },
  { label: "Not in the graph", of: (found) => found.not_in_graph },
];

function Row({ label, found }: { label: string; found: Found }) {
  return (
    <tr>
      <th scope="row">{label}</th>
      {COLUMNS.map(({ label: column, of }) => (
        <td key={column} data-numeric>
          {count(of(found))}
        </td>
      ))}
    </tr>
  );
}

interface ChooseProps {
  study: string;
  evidence: Board["evidence"];
  onClose: () => void;
}

function Choose({ study, evidence, onClose }: ChooseProps) {
  const [named, setNamed] = useState(evidence ? `${evidence.graph.slug}@${evidence.graph.number}` : "");
  const pin = usePin(study);
  return (
    <Dialog title="Graph for evidence" isOpen onOpenChange={(open) => !open && onClose()}>
      <Form onSubmit={() => pin.mutate(named, { onSuccess: onClose })}>
        {pin.isError && <Notice tone="bad">{sentenceOf(pin.error)}</Notice>}
        <GraphChoice value={named} onChange={setNamed} />
        <DialogActions>
          <Button size="large" onPress={onClose}>
            Cancel
          </Button>
          <Button type="submit" look="primary" size="large" isDisabled={pin.isPending}>
            {pin.isPending ? "Saving" : "Use this graph"}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
