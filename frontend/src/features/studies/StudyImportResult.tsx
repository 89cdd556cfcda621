import type { ImportResult } from "@/api/contract";
import { Button, ButtonLink } from "@/components/Button";
import { Notice } from "@/components/Notice";
import { formatCount, formatPlural } from "@/lib/format";
import styles from "./Studies.module.css";

export function StudyImportResult({ result, onImportAnother }: { result: ImportResult; onImportAnother: () => void }) {
  return (
    <>
      <p>{importSummary(result)}</p>
      {result.notices.length > 0 && (
        <Notice tone="warn">
          <p>Imported, with these notes:</p>
          <ul className={styles.notices}>{result.notices.map((notice) => <li key={notice}>{notice}</li>)}</ul>
        </Notice>
      )}
      <div className={styles.ways}>
        <ButtonLink to={`/studies/${result.study.id}?tab=preview`} variant="primary" size="large">Look at the questions</ButtonLink>
        <ButtonLink to={`/studies/${result.study.id}`} size="large">To its dashboard</ButtonLink>
        <Button size="large" onPress={onImportAnother}>Import another</Button>
      </div>
    </>
  );
}

export function importSummary({ batches, questions, candidates, added }: ImportResult): string {
  const read =
    `The files contain ${formatPlural(batches, "batch", "batches")} with ${formatPlural(questions, "question")} ` +
    `and ${formatPlural(candidates, "candidate")}.`;
  if (added === 0) return `${read} The study had all of them, so nothing changed.`;
  return `${read} ${addedLabel(added, questions)}. Invite experts and assign batches from its dashboard.`;
}

function addedLabel(added: number, questions: number): string {
  if (questions === 1) return "The question is new";
  if (added === questions) return "All of the questions are new";
  return `${formatCount(added)} of the questions ${added === 1 ? "is" : "are"} new`;
}
