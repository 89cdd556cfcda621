import styles from "./Guidelines.module.css";
import { lineChanges } from "./lineChanges";

const NAMES = { added: "Added: ", removed: "Removed: " } as const;

/** What changed between two versions, line by line; not by colour alone. */
export function GuidelineChanges({ before, after }: { before: string; after: string }) {
  return (
    <div className={styles.changes}>
      {lineChanges(before, after).map(({ kind, text }, place) => {
        if (kind === "same") return <p key={place}>{text}</p>;
        const Line = kind === "added" ? "ins" : "del";
        return (
          <p key={place} className={styles[kind]}><span className="visually-hidden">{NAMES[kind]}</span><Line>{text}</Line></p>
        );
      })}
    </div>
  );
}
