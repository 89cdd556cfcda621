import type { Id } from "@/api/contract";
import type { PriorSource } from "./labels";
import type { Candidate, Ranking } from "./rankingModel";
import type { BoardActions } from "./useBoardActions";

export type BoardCandidate = Candidate & { hint?: string };

export interface CardsProps {
  candidates: BoardCandidate[];
  displayOrder: Id[];
  /** Undefined where the question comes without one. */
  prior: Ranking | undefined;
  priorName: PriorSource;
  ranking: Ranking;
  /** False while the order is only the one that was shown. */
  isUserOrder: boolean;
  actions: BoardActions;
  onLinkOpened?: (candidate: BoardCandidate) => void;
}
