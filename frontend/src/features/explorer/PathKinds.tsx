import { useState } from "react";
import { Button } from "@/components/Button";
import { formatCount } from "@/lib/format";
import { metapathRows, type PathColumn } from "./PathMatrix";
import styles from "./Paths.module.css";

const INITIAL_KINDS = 6;

interface Props {
  column: PathColumn;
  metapath: string | null;
  onOpen: (answer: string, metapath: string | null) => void;
}

/** Kinds of paths to one answer in words, the commonest first; one of them narrows the list below. */
export function PathKinds({ column, metapath, onOpen }: Props) {
  const [isWhole, setWhole] = useState(false);
  const all = metapathRows([column]).filter(({ total }) => total > 0);
  if (all.length < 2) return null;
  const most = Math.max(...all.map(({ total }) => total));
  const shown = isWhole ? all : all.filter(({ key }, at) => at < INITIAL_KINDS || key === metapath);
  return (
    <section aria-labelledby="kinds" className={styles.open}>
      <h2 id="kinds">Kinds of path</h2>
      <ul className={styles.kinds}>
        {shown.map(({ key, label, phrase, isAmbiguous, total }) => (
          <li key={key}>
            <button
              type="button"
              className={styles.kindButton}
              aria-pressed={metapath === key}
              onClick={() => onOpen(column.id, metapath === key ? null : key)}
            >
              <span>{label}, <span className="number">{formatCount(total)}</span></span>
              <span className={styles.bar} aria-hidden><span style={{ width: `${Math.max(2, (100 * total) / most)}%` }} /></span>
              {isAmbiguous && <span className={styles.quiet}>{phrase}</span>}
            </button>
          </li>
        ))}
      </ul>
      {all.length > INITIAL_KINDS && (
        <div>
          <Button variant="quiet" onPress={() => setWhole(!isWhole)} aria-expanded={isWhole}>
            {isWhole ? "Show the most common kinds" : `Show all ${all.length} kinds`}
          </Button>
        </div>
      )}
    </section>
  );
}
