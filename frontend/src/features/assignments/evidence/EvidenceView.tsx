import { useQuery } from "@tanstack/react-query";
import type { RefObject } from "react";
import type { Id } from "@/api/contract";
import { Notice } from "@/components/Notice";
import { SelectField } from "@/components/SelectField";
import { useDebounced } from "@/lib/useDebounced";
import { evidenceQuery, type PinnedGraph } from "./api";
import { CandidateCard } from "./CandidateCard";
import type { CandidateFocusTracker } from "./candidateFocus";
import styles from "./Evidence.module.css";
import { EvidenceBoundary } from "./EvidenceBoundary";
import { useEvidenceTracking, type EventRecorder } from "./useEvidenceTracking";
import { useSelectedCandidate, type EvidenceSubject } from "./useSelectedCandidate";

/** How long a candidate has the focus before its paths are loaded. */
const SETTLE_MS = 250;
/** The element that a second E focuses. */
export const EVIDENCE_ID = "evidence";

interface Props {
  assignment: Id;
  subjects: EvidenceSubject[];
  graph: PinnedGraph;
  focus: CandidateFocusTracker;
  recorder: RefObject<EventRecorder | null>;
}

/** The evidence of the study's graph for the candidate that has focus. It never takes the focus itself. */
export function EvidenceView({ assignment, subjects, graph, focus, recorder }: Props) {
  const { selected, select } = useSelectedCandidate(subjects, focus);
  const query = useQuery(evidenceQuery(assignment, graph));
  const evidence = query.data?.candidates.find(({ candidate }) => candidate === selected?.id);
  const settled = useDebounced(selected?.id, SETTLE_MS);
  useEvidenceTracking(recorder, graph, selected?.id, evidence);
  if (!selected) return null;
  return (
    <div className={styles.evidence}>
      <CandidatePicker subjects={subjects} selected={selected.id} onSelect={select} />
      <EvidenceBoundary query={query}>
        {({ is_complete: isComplete, has_pages: hasPages }) => (
          <>
            {!isComplete && <Notice>The names of this study are still being matched with the graph. Results appear here.</Notice>}
            {evidence && (
              <CandidateCard
                key={selected.id}
                assignment={assignment}
                graph={graph}
                evidence={evidence}
                isSettled={settled === selected.id}
                hasPages={hasPages}
              />
            )}
          </>
        )}
      </EvidenceBoundary>
      <p className={styles.quiet}>From {graph.name}, version {graph.number}.</p>
    </div>
  );
}

/** On a narrow screen the panel covers the candidates, so that one is selected here. */
function CandidatePicker({ subjects, selected, onSelect }: { subjects: EvidenceSubject[]; selected: Id; onSelect: (id: Id) => void }) {
  return (
    <SelectField
      label="Evidence for"
      value={selected}
      onChange={onSelect}
      options={subjects.map(({ id, name }) => ({ value: id, label: name }))}
      translate="no"
    />
  );
}
