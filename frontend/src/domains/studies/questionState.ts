import { CircleDashed, CornerDownRight, PencilLine, type LucideIcon } from "lucide-react";
import type { ResponseStatus } from "@/api/contract";
import { outcomeLabel, type StudyKindInfo } from "./studyKind";

/** How a question is shown in lists: a shape and a word, so that colour never speaks alone. */
export interface QuestionState {
  Icon: LucideIcon;
  tone: "good" | "warn" | "bad" | undefined;
  label: string;
}

export function questionState(kind: StudyKindInfo, status: ResponseStatus, outcome: string): QuestionState {
  if (status === "untouched") return { Icon: CircleDashed, tone: undefined, label: "not answered" };
  if (status === "draft") return { Icon: PencilLine, tone: "warn", label: "draft" };
  const known = kind.outcomes.find(({ name }) => name === outcome);
  return { Icon: known?.icon ?? CornerDownRight, tone: known?.tone ?? "warn", label: outcomeLabel(kind, outcome) };
}
