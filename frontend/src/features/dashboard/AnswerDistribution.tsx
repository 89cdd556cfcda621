import type { DashboardBatch } from "@/api/contract";
import type { StudyKindInfo } from "@/domains/studies/studyKind";
import { formatCount } from "@/lib/format";
import styles from "./AnswerDistribution.module.css";
import { batchLabel, overallDistributionText, hasAnswers, distributionText, distributionParts, unansweredBatchesText } from "./labels";

interface Props {
  info: StudyKindInfo;
  batches: DashboardBatch[];
}

/** How the answers of each batch are distributed over the outcomes. */
export function AnswerDistribution({ info, batches }: Props) {
  return (
    <section className={styles.division} aria-labelledby="division-heading">
      <div>
        <h2 id="division-heading">Distribution of answers</h2>
        <p className={styles.words}>{overallDistributionText(info, batches)}</p>
      </div>
      {batches.some(hasAnswers) && <DistributionChart info={info} batches={batches} />}
    </section>
  );
}

/** A bar for each batch that has answers; the others are one line. */
function DistributionChart({ info, batches }: Props) {
  const unanswered = unansweredBatchesText(batches);
  const [parts = [], ...others] = batches.map((batch) => distributionParts(info, batch));
  const legend = parts.filter(({ count }, at) => count > 0 || others.some((other) => other[at]?.count));
  return (
    <>
      <ul className={styles.legend} aria-hidden>
        {legend.map(({ part, label }) => <li key={label}><span className={styles.swatch} data-part={part} />{label}</li>)}
      </ul>
      <ul className={styles.rows}>
        {batches.filter(hasAnswers).map((batch) => (
          <li key={batch.id} className={styles.row}>
            <span className={styles.name}>{batchLabel(batch)}</span>
            <Bar info={info} batch={batch} />
            <span className={styles.counts}>{distributionText(info, batch)}</span>
          </li>
        ))}
      </ul>
      {unanswered && <p className={styles.counts}>{unanswered}</p>}
    </>
  );
}

/** Widths are shares of the expected answers, so that bars of batches of any size can be compared. */
function Bar({ info, batch }: { info: StudyKindInfo; batch: DashboardBatch }) {
  return (
    <span className={styles.bar} aria-hidden>
      {distributionParts(info, batch).map(({ part, label, count }) =>
        count > 0 ? (
          <span
            key={label}
            className={styles.part}
            data-part={part}
            style={{ flexGrow: count }}
            title={`${formatCount(count)} ${label}`}
          />
        ) : null,
      )}
    </span>
  );
}
