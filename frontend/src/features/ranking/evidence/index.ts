/** Evidence beside the ranking: the only door to this folder. */
export { CandidateFocus } from "./candidateFocus";
export { EVIDENCE, EvidenceView } from "./EvidenceView";
export type { Note } from "./useNoted";
export type { PinnedGraph } from "./api";
