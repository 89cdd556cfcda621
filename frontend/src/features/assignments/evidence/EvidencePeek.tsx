import { useQuery } from "@tanstack/react-query";
import { ChevronUp, Waypoints } from "lucide-react";
import type { RefObject } from "react";
import type { Id } from "@/api/contract";
import { useDebounced } from "@/lib/useDebounced";
import { evidencePathsQuery, evidenceQuery, type PinnedGraph } from "./api";
import type { CandidateFocusTracker } from "./candidateFocus";
import styles from "./EvidencePeek.module.css";
import { peekText } from "./pathGroups";
import { useEvidenceTracking, type EventRecorder } from "./useEvidenceTracking";
import { useSelectedCandidate, type EvidenceSubject } from "./useSelectedCandidate";

const SETTLE_MS = 250;

interface Props {
  assignment: Id;
  subjects: EvidenceSubject[];
  graph: PinnedGraph;
  focus: CandidateFocusTracker;
  recorder: RefObject<EventRecorder | null>;
  onOpen: () => void;
}

/** Where no panel fits beside the answer: one line of evidence for the candidate that has focus; it opens the rest. */
export function EvidencePeek({ assignment, subjects, graph, focus, recorder, onOpen }: Props) {
  const { selected } = useSelectedCandidate(subjects, focus);
  const settled = useDebounced(selected?.id, SETTLE_MS);
  const { data } = useQuery(evidenceQuery(assignment, graph));
  const evidence = data?.candidates.find(({ candidate }) => candidate === selected?.id);
  const paths = useQuery({
    ...evidencePathsQuery(assignment, graph, selected?.id ?? "", false),
    enabled: Boolean(evidence?.entity) && settled === selected?.id,
  }).data?.paths;
  const { text, isStatement } = peekText(evidence, paths);
  useEvidenceTracking(recorder, graph, selected?.id, text ? evidence : undefined, { isPeek: true });
  if (!selected) return null;
  return (
    <button type="button" className={styles.peek} onClick={onOpen} aria-haspopup="dialog">
      <Waypoints size={16} aria-hidden />
      <span className={styles.text}>
        {/* A statement names the candidate itself, and the line is short. */}
        <span className={text ? "visually-hidden" : undefined}>Evidence for </span>
        <span className={isStatement ? "visually-hidden" : undefined}><b translate="no">{selected.name}</b>{text && ": "}</span>
        {text}
      </span>
      <ChevronUp size={16} aria-hidden />
    </button>
  );
}
