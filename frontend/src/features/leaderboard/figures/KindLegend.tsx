import type { FigureEntry } from "@/api/contract";
import chartStyles from "../charts/Charts.module.css";

/** What the shapes of marks stand for, of the kinds that a chart has. */
export function KindLegend({ entries }: { entries: FigureEntry[] }) {
  const kinds = new Set(entries.map(({ kind }) => kind));
  return (
    <ul className={chartStyles.legend}>
      {(kinds.has("evaluated") || kinds.has("baseline")) && <li data-kind="evaluated">evaluated here</li>}
      {kinds.has("simulated") && <li data-kind="simulated">simulated</li>}
      {kinds.has("printed") && <li data-kind="printed">as printed, from other items</li>}
    </ul>
  );
}
