/** Evidence beside the answer: what other folders may import. */
export { CandidateFocusTracker } from "./candidateFocus";
export { EVIDENCE_ID, EvidenceView } from "./EvidenceView";
export { MarkingContext } from "./marking";
export { EvidencePeek } from "./EvidencePeek";
export type { EventRecorder } from "./useEvidenceTracking";
export type { PinnedGraph } from "./api";
