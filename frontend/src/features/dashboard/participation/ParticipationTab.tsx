import { useState } from "react";
import type { Dashboard, Participation } from "@/api/contract";
import { Button } from "@/components/Button";
import { ACTIONS_COLUMN, DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { QueryBoundary } from "@/components/QueryBoundary";
import { ResultStatus } from "@/components/ResultStatus";
import { SkeletonRows } from "@/components/SkeletonRows";
import { formatCount, formatDateTime } from "@/lib/format";
import styles from "../Dashboard.module.css";
import { ConflictDialog } from "./ConflictDialog";
import { useParticipation } from "./participationQueries";
import { RemoveDialog } from "./RemoveDialog";
import { ShortageNotice } from "./ShortageNotice";
import { TagsDialog, type Tagged } from "./TagsDialog";

/** Who may answer what: expertise, conflicts of interest, and who left the study. */
export function ParticipationTab({ study }: { study: Dashboard["study"] }) {
  const query = useParticipation(study.id);
  return (
    <QueryBoundary query={query} skeleton={<SkeletonRows rows={6} height={40} />}>
      {(participation) => (
        <div className={styles.column}>
          <ShortageNotice study={study.id} />
          <Experts study={study} {...participation} />
          <Conflicts study={study} {...participation} />
          <Departures {...participation} />
        </div>
      )}
    </QueryBoundary>
  );
}

type SectionProps = Participation & { study: Dashboard["study"] };

function Experts({ study, experts, batches }: SectionProps) {
  const isFrozen = study.status === "frozen";
  const [tagged, setTagged] = useState<Tagged | null>(null);
  const [removed, setRemoved] = useState<string | null>(null);
  const [result, setResult] = useState("");
  const leaving = experts.find(({ id }) => id === removed);
  return (
    <section className={styles.section} aria-labelledby="expertise-heading">
      <h2 id="expertise-heading">Experts and batches</h2>
      {result && <ResultStatus message={result} />}
      {experts.length === 0 ? <EmptyState>No experts yet. Invite some.</EmptyState> : <DataTable folds label="Expertise of each expert" columns={["Expert", "Expertise", "Guidelines read", ...(isFrozen ? [] : [ACTIONS_COLUMN])]}>
        {experts.map(({ id, name, email, tags, read }) => (
          <tr key={id}>
            <th scope="row">{name || email}</th>
            <td>{tags.join(", ") || "none"}</td>
            <td>{read > 0 ? `version ${read}` : "none"}</td>
            {!isFrozen && <td data-action>
              <Button onPress={() => setTagged({ of: "experts", id, name: name || email, tags })} aria-label={`Expertise of ${name || email}`}>Expertise</Button>{" "}
              <Button onPress={() => setRemoved(id)} aria-label={`Remove ${name || email}`}>Remove</Button>
            </td>}
          </tr>
        ))}
      </DataTable>}
      <DataTable folds label="Expertise that each batch needs" columns={["Batch", "Needed expertise", ...(isFrozen ? [] : [ACTIONS_COLUMN])]}>
        {batches.map(({ id, number, name, needed_tags: tags }) => (
          <tr key={id}>
            <th scope="row">{name || `Batch ${number}`}</th>
            <td>{tags.join(", ") || "none"}</td>
            {!isFrozen && <td data-action>
              <Button onPress={() => setTagged({ of: "batches", id, name: name || `Batch ${number}`, tags })} aria-label={`Needed expertise of ${name || `batch ${number}`}`}>Expertise</Button>
            </td>}
          </tr>
        ))}
      </DataTable>
      {tagged && <TagsDialog study={study.id} tagged={tagged} onClose={() => setTagged(null)} />}
      {leaving && <RemoveDialog study={study.id} expert={leaving} onClose={() => setRemoved(null)} onRemoved={() => {
        setRemoved(null);
        setResult(`${leaving.name || leaving.email} is removed from the study.`);
      }} />}
    </section>
  );
}

function Conflicts({ study, experts, batches, conflicts }: SectionProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section className={styles.section} aria-labelledby="conflicts-heading">
      <div className={styles.sectionHead}>
        <h2 id="conflicts-heading">Conflicts of interest</h2>
        {experts.length > 0 && study.status !== "frozen" && <Button onPress={() => setOpen(true)}>Declare a conflict</Button>}
      </div>
      {conflicts.length === 0 ? <EmptyState>None declared. Experts declare theirs beside ‘Skip’.</EmptyState> : (
        <DataTable label="Conflicts of interest" minWidth={640} folds columns={["Expert", "Question", "Reason", "Declared"]}>
          {conflicts.map(({ expert, question, reason, declared_at: at }) => (
            <tr key={`${expert.id} ${at}`}>
              <th scope="row">{expert.name}</th><td>{question}</td><td>{reason}</td><td>{formatDateTime(at)}</td>
            </tr>
          ))}
        </DataTable>
      )}
      {isOpen && <ConflictDialog study={study.id} experts={experts} batches={batches} onClose={() => setOpen(false)} />}
    </section>
  );
}

function Departures({ departures }: Pick<Participation, "departures">) {
  if (departures.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="left-heading">
      <h2 id="left-heading">Left the study</h2>
      <DataTable label="Experts who left the study" minWidth={560} folds columns={["Expert", "How", "When", "Answers"]}>
        {departures.map(({ expert, left_at: at, withdrew, answers, answers_withdrawn: isWithdrawn }) => (
          <tr key={expert.id}>
            <th scope="row">{expert.name}</th>
            <td>{withdrew ? "withdrew" : "was removed"}</td>
            <td>{formatDateTime(at)}</td>
            <td>{formatCount(answers)} {isWithdrawn ? "left out" : answers === 1 ? "still counts" : "still count"}</td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}
