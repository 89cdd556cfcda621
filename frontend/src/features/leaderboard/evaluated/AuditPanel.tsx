import type { Board } from "@/domains/evaluation/queries";
import { metricInSentence, scoreText } from "@/domains/evaluation/labels";
import styles from "./Evaluated.module.css";

const RANK_SENTENCES = {
  few_clusters: "Ranks and intervals are approximate.",
  too_few_clusters: "The items are too few to exclude any rank.",
};

/** What the items of the release can tell apart, in sentences. */
export function AuditPanel({ board: { audit, metrics, main_metric: main } }: { board: Board }) {
  const metric = metrics.find(({ id }) => id === main);
  if (!audit || !metric) return null;
  const { resolution_floor: floor, separated_share: separated, neighbours, rank_reason: reason, clusters } = audit;
  const unit = metric.unit === "percent" ? " points" : "";
  return (
    <section className={styles.audit} aria-label="What the items tell apart">
      <h3>What the items tell apart</h3>
      <ul>
        {reason && <li>{RANK_SENTENCES[reason]} Independent groups of items: {clusters}.</li>}
        {floor !== null && <li>A difference of {scoreText(floor, metric)}{unit} in {metricInSentence(metric)} would be found with these items in four of five cases.</li>}
        {separated !== null && <li>{Math.round((1 - separated) * neighbours)} of {neighbours} neighbours on the board are tied: their ranks overlap.</li>}
        {audit.half_splits > 0 && <li>The items were halved at random {audit.half_splits} times: in {audit.stable_half_splits} of them the first entry is first in both halves, tied or not.</li>}
      </ul>
    </section>
  );
}
