import { useState } from "react";
import { Button } from "@/components/Button";
import { FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { Tag } from "@/components/Tag";
import { TextField } from "@/components/TextField";
import type { Release } from "@/domains/evaluation/queries";
import { errorMessage } from "@/lib/errorMessages";
import { formatCount, formatList, formatPlural, formatRecentDate } from "@/lib/format";
import styles from "./Errata.module.css";
import { KIND_LABELS, keyText, questionOf, STATE_LABELS } from "./labels";
import { useDecision, type ItemReport } from "./queries";

export function ReportCard({ report, release }: { report: ItemReport; release: Release }) {
  const sender = report.is_own ? "you" : report.reporter;
  return (
    <article className={styles.report} aria-label={keyText(report.item)}>
      <div className={styles.head}>
        <h3 className={styles.key}>{keyText(report.item)}</h3>
        <Tag>{STATE_LABELS[report.state]}</Tag>
      </div>
      <p className={styles.quiet}>{questionOf(report.content)}</p>
      <p className={styles.text}>{KIND_LABELS[report.kind]}: {report.text}</p>
      <p className={styles.quiet}>From {sender}, {formatRecentDate(report.created_at)}, {report.split} split</p>
      {report.answer && <p>Present answer: <code>{JSON.stringify(report.answer)}</code></p>}
      {report.entries && <Entries entries={report.entries} split={report.split} />}
      {report.reply && <Notice><p className={styles.text}>{report.reply}</p></Notice>}
      {release.can_change && report.state === "open" && <Decision report={report} slug={release.slug} />}
    </article>
  );
}

/** For which entries of the board the item counts. */
function Entries({ entries: { credited, not_credited: others, lost, total }, split }: { entries: NonNullable<ItemReport["entries"]>; split: ItemReport["split"] }) {
  if (total === 0) return <p className={styles.quiet}>No entry stands on the {split} board, the only one that this item counts on.</p>;
  const read = credited.length + others.length + lost.length;
  return (
    <ul className={styles.entries} aria-label="Entries that the item counts for">
      <li>{formatPlural(credited.length, "entry gains", "entries gain")} from this item{credited.length > 0 && `: ${formatList(credited)}`}.</li>
      <li>{formatPlural(others.length, "entry does", "entries do")} not{others.length > 0 && `: ${formatList(others)}`}.</li>
      {lost.length > 0 && <li>The scores by item of {formatList(lost)} are lost. An administrator must restore the files.</li>}
      {total > read && <li>These are the best {formatCount(read)} of {formatCount(total)} entries.</li>}
    </ul>
  );
}

function Decision({ report, slug }: { report: ItemReport; slug: string }) {
  const [reply, setReply] = useState("");
  const decision = useDecision(slug, report.id);
  const decide = (state: "accepted" | "dismissed") => decision.mutate({ state, reply: reply.trim() });
  const about = keyText(report.item);
  return (
    <>
      <TextField label="Reply" value={reply} onChange={setReply} rows={2} maxLength={2000} />
      {decision.isError && <Notice tone="bad">{errorMessage(decision.error)}</Notice>}
      <FormActions>
        <Button variant="primary" aria-label={`Accept: ${about}`} onPress={() => decide("accepted")} isDisabled={decision.isPending}>Accept</Button>
        <Button aria-label={`Dismiss: ${about}`} onPress={() => decide("dismissed")} isDisabled={decision.isPending}>Dismiss</Button>
      </FormActions>
    </>
  );
}
