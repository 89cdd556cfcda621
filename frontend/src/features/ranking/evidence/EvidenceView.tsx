import { useQuery } from "@tanstack/react-query";
import type { RefObject } from "react";
import type { Assignment, Candidate, Id } from "@/api/contract";
import { Notice } from "@/components/Notice";
import { SelectField } from "@/components/SelectField";
import { evidenceQuery, type PinnedGraph } from "./api";
import { CandidateCard } from "./CandidateCard";
import type { CandidateFocus } from "./candidateFocus";
import styles from "./Evidence.module.css";
import { useNoted, type Note } from "./useNoted";
import { useRested, useShownCandidate } from "./useShownCandidate";
import { Waiting } from "./Waiting";

/** Where a second E leads. */
export const EVIDENCE = "evidence";

interface Props {
  assignment: Assignment;
  graph: PinnedGraph;
  focus: CandidateFocus;
  note: RefObject<Note | null>;
}

/** What the study's graph says of the candidate that has focus. It never takes the focus itself. */
export function EvidenceView({ assignment, graph, focus, note }: Props) {
  const { candidates } = assignment.question;
  const { shown, choose } = useShownCandidate(candidates, focus);
  const query = useQuery(evidenceQuery(assignment.id, graph));
  const found = query.data?.candidates.find(({ candidate }) => candidate === shown?.id);
  const rested = useRested(shown?.id);
  useNoted(note, graph, shown?.id, found);
  if (!shown) return null;
  return (
    <div className={styles.evidence}>
      <Picker candidates={candidates} shown={shown.id} onChoose={choose} />
      {query.data ? (
        <>
          {!query.data.is_complete && <Notice>The names of this study are still being looked up in the graph. What is found appears here.</Notice>}
          {found && <CandidateCard key={shown.id} assignment={assignment.id} graph={graph} found={found} isResting={rested === shown.id} />}
        </>
      ) : (
        <Waiting error={query.error} busy={query.isFetching} onRetry={() => void query.refetch()} />
      )}
      <p className={styles.quiet}>
        From {graph.name}, version {graph.number}.
      </p>
    </div>
  );
}

interface PickerProps {
  candidates: Candidate[];
  shown: Id;
  onChoose: (id: Id) => void;
}

/** For whoever cannot reach the cards meanwhile: on a narrow screen the panel lies over them. */
function Picker({ candidates, shown, onChoose }: PickerProps) {
  return (
    <SelectField
      label="Evidence for"
      value={shown}
      onChange={onChoose}
      options={candidates.map(({ id, name }) => ({ value: id, label: name }))}
      translate="no"
    />
  );
}
