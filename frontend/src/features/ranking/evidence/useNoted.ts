import { useEffect, useEffectEvent, useRef, type RefObject } from "react";
import type { Id, Json } from "@/api/contract";
import type { CandidateEvidence, PinnedGraph } from "./api";

export type Note = (kind: "evidence_opened" | "evidence_viewed", what: Json) => void;

/** Shown for less, it was passed, not viewed. */
const VIEWED_MS = 500;

/** That the panel was opened at a question, and each candidate whose evidence was on the screen. */
export function useNoted(
  note: RefObject<Note | null>,
  graph: PinnedGraph,
  candidate: Id | undefined,
  shown: CandidateEvidence | undefined,
): void {
  const isNoted = useRef(false);
  const { snapshot } = graph;
  const opened = useEffectEvent(() => note.current?.("evidence_opened", { candidate: candidate ?? null, snapshot }));
  useEffect(() => {
    if (!isNoted.current) opened();
    isNoted.current = true;
  }, []);

  const id = shown?.candidate;
  const viewed = useEffectEvent(() => {
    if (!shown) return;
    const entity = shown.entity?.id ?? null;
    note.current?.("evidence_viewed", { candidate: shown.candidate, snapshot, entity, how: shown.how });
  });
  useEffect(() => {
    if (!id) return;
    const timer = setTimeout(viewed, VIEWED_MS);
    return () => clearTimeout(timer);
  }, [id]);
}
