import { useState, useSyncExternalStore } from "react";
import type { Id } from "@/api/contract";
import type { CandidateFocusTracker } from "./candidateFocus";

export interface EvidenceSubject {
  id: Id;
  name: string;
}

/** The candidate whose evidence is shown: the one with focus, until another is selected here. */
export function useSelectedCandidate(subjects: EvidenceSubject[], focus: CandidateFocusTracker) {
  const focused = useSyncExternalStore(focus.subscribe, focus.latest);
  const [choice, setChoice] = useState<{ id: Id; over: Id | null } | null>(null);
  const requested = choice && choice.over === focused ? choice.id : focused;
  const selected = subjects.find(({ id }) => id === requested) ?? subjects[0];
  return { selected, select: (id: Id) => setChoice({ id, over: focused }) };
}
