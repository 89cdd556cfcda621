import type { Id } from "@/api/contract";
import { Notice } from "@/components/Notice";
import { useParticipation } from "./participationQueries";
import { shortageSentences } from "./shortageSentences";

/** Where a pool runs out of experts: of how many questions, and why. */
export function ShortageNotice({ study }: { study: Id }) {
  const shortage = useParticipation(study).data?.shortage;
  if (!shortage) return null;
  const [summary, ...reasons] = shortageSentences(shortage);
  return (
    <Notice tone="warn">
      <p>{summary}</p>
      <ul>{reasons.map((reason) => <li key={reason}>{reason}</li>)}</ul>
    </Notice>
  );
}
