import type { Imported } from "@/api/contract";
import { Button, ButtonLink } from "@/components/Button";
import { Notice } from "@/components/Notice";
import { count, plural } from "@/lib/format";
import styles from "./Studies.module.css";

interface Props {
  result: Imported;
  onAnother: () => void;
}

export function Result({ result, onAnother }: Props) {
  return (
    <>
      <p>{inWords(result)}</p>
      {result.notices.length > 0 && (
        <Notice tone="warn">
          <p>Imported as the files have it. Worth knowing:</p>
          <ul className={styles.notices}>
            {result.notices.map((notice) => (
              <li key={notice}>{notice}</li>
            ))}
          </ul>
        </Notice>
      )}
      <div className={styles.ways}>
        <ButtonLink to={`/studies/${result.study.id}`} look="primary" size="large">
          To its board
        </ButtonLink>
        <Button size="large" onPress={onAnother}>
          Import another
        </Button>
      </div>
    </>
  );
}

export function inWords({ batches, questions, candidates, added }: Imported): string {
  const read =
    `The files hold ${plural(batches, "batch", "batches")} with ${plural(questions, "question")} ` +
    `and ${plural(candidates, "candidate")}.`;
  if (added === 0) return `${read} The study had all of them, so nothing changed.`;
  return `${read} ${news(added, questions)}. Experts are invited, and given batches, from its board.`;
}

function news(added: number, questions: number): string {
  if (questions === 1) return "The question is new";
  if (added === questions) return "All of the questions are new";
  return `${count(added)} of the questions ${added === 1 ? "is" : "are"} new`;
}
