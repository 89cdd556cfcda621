import type { BoardBatch } from "@/api/contract";
import { count } from "@/lib/format";
import styles from "./Division.module.css";
import { batchLabel, divisionInWords, hasAnswers, partsInWords, partsOf, untouchedInWords, type Part } from "./words";

const LEGEND: { key: Part["key"]; label: string }[] = [
  { key: "agreed", label: "agreed" },
  { key: "changed", label: "changed" },
  { key: "not-sure", label: "not sure" },
  { key: "left", label: "skipped or left" },
];

/** One question answered by a picture: how the answers of each batch divide. */
export function Division({ batches }: { batches: BoardBatch[] }) {
  return (
    <section className={styles.division} aria-labelledby="division-heading">
      <div>
        <h2 id="division-heading">How answers divide</h2>
        <p className={styles.words}>{divisionInWords(batches)}</p>
      </div>
      {batches.some(hasAnswers) && <Picture batches={batches} />}
    </section>
  );
}

/** A bar for each batch that has answers; the others are one line. */
function Picture({ batches }: { batches: BoardBatch[] }) {
  const untouched = untouchedInWords(batches);
  return (
    <>
      <ul className={styles.legend} aria-hidden>
        {LEGEND.map(({ key, label }) => (
          <li key={key}>
            <span className={styles.swatch} data-part={key} />
            {label}
          </li>
        ))}
      </ul>
      <ul className={styles.rows}>
        {batches.filter(hasAnswers).map((batch) => (
          <li key={batch.id} className={styles.row}>
            <span className={styles.name}>{batchLabel(batch)}</span>
            <Bar batch={batch} />
            <span className={styles.counts}>{partsInWords(batch)}</span>
          </li>
        ))}
      </ul>
      {untouched && <p className={styles.counts}>{untouched}</p>}
    </>
  );
}

/** Widths are shares of what is expected, so that bars of batches of any size compare. */
function Bar({ batch }: { batch: BoardBatch }) {
  return (
    <span className={styles.bar} aria-hidden>
      {partsOf(batch).map((part) =>
        part.count > 0 ? (
          <span
            key={part.key}
            className={styles.part}
            data-part={part.key}
            style={{ flexGrow: part.count }}
            title={`${count(part.count)} ${part.label}`}
          />
        ) : null,
      )}
    </span>
  );
}
