import { ButtonLink } from "@/components/Button";
import { Notice } from "@/components/Notice";
import { count } from "@/lib/format";
import type { ImportResult } from "./ImportPage";
import styles from "./Studies.module.css";

export function Imported({ result }: { result: ImportResult }) {
  return (
    <>
      <p>
        {count(result.batches)} batches, {count(result.questions)} questions, {count(result.candidates)} candidates.
        Nobody is assigned yet: invite experts from the board.
      </p>
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
      <div>
        <ButtonLink to={`/studies/${result.study.id}`} look="primary" size="large">
          To its board
        </ButtonLink>
      </div>
    </>
  );
}
