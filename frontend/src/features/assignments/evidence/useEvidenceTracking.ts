import { useEffect, useEffectEvent, useRef, type RefObject } from "react";
import type { Id, Json } from "@/api/contract";
import type { CandidateEvidence, PinnedGraph } from "./api";

export type EventRecorder = (kind: "evidence_opened" | "evidence_viewed", what: Json) => void;

/** Evidence shown for less was passed, not viewed. */
const VIEWED_MS = 500;

/**
 * Records that the panel was open at a question, and each candidate whose evidence was shown. The
 * line that peeks is no panel: only what it showed is recorded.
 */
export function useEvidenceTracking(
  recorder: RefObject<EventRecorder | null>,
  graph: PinnedGraph,
  candidate: Id | undefined,
  evidence: CandidateEvidence | undefined,
  { isPeek = false } = {},
): void {
  const isRecorded = useRef(false);
  const { snapshot } = graph;
  const recordOpened = useEffectEvent(() => recorder.current?.("evidence_opened", { candidate: candidate ?? null, snapshot }));
  useEffect(() => {
    if (!isRecorded.current && !isPeek) recordOpened();
    isRecorded.current = true;
  }, [isPeek]);

  const id = evidence?.candidate;
  const recordViewed = useEffectEvent(() => {
    if (!evidence) return;
    const entity = evidence.entity?.id ?? null;
    recorder.current?.("evidence_viewed", { candidate: evidence.candidate, snapshot, entity, how: evidence.match_method, ...(isPeek && { peek: true }) });
  });
  useEffect(() => {
    if (!id) return;
    const timer = setTimeout(recordViewed, VIEWED_MS);
    return () => clearTimeout(timer);
  }, [id]);
}
