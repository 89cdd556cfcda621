import type { Board } from "@/domains/evaluation/queries";
import styles from "./Charts.module.css";
import { DecayCharts } from "./DecayCharts";
import { PointsChart } from "./PointsChart";

/** Scores against cost and size, and by the years and the importance of the items where they have these. `filter` is the API's. */
export function BoardCharts({ board, filter }: { board: Board; filter: string }) {
  const metric = board.metrics.find(({ id }) => id === board.main_metric);
  if (!metric) return null;
  return (
    <section className={styles.charts} aria-label="Charts">
      <PointsChart release={board.release} axis="cost" metric={metric} filter={filter} />
      <PointsChart release={board.release} axis="parameters" metric={metric} filter={filter} />
      <DecayCharts board={board} metric={metric} />
    </section>
  );
}
