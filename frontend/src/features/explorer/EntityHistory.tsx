import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { entityUrl } from "@/domains/graphs/graphUrls";
import { useGraphParams } from "@/domains/graphs/useGraphParams";
import { formatPercent, formatPlural } from "@/lib/format";
import { entityHistoryQuery, type EntityHistory as History } from "./api";
import styles from "./History.module.css";

/** Edges of an entity by the year they were first seen in; read once it is opened. */
export function EntityHistory({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.history} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Edges by year</summary>
      {isOpen && <Years id={id} />}
    </details>
  );
}

function Years({ id }: { id: string }) {
  const where = useGraphParams();
  const query = useQuery(entityHistoryQuery(where, id));
  return (
    <QueryBoundary query={query} skeleton={<SkeletonRows rows={4} height={24} />}>
      {(history) => (
        <>
          <ol className={styles.years}>
            {yearsOf(history).map(({ year, count, sources, share }) => (
              <li key={year}>
                <Link to={entityUrl({ ...where, until: year }, id)}>{year}</Link>
                <span className={styles.bar} aria-hidden><span style={{ width: formatPercent(share) }} /></span>
                <span>{formatPlural(count, "edge")}{sources && ` (${sources})`}</span>
              </li>
            ))}
          </ol>
          {history.undated > 0 && <p className={styles.note}>{formatPlural(history.undated, "edge")} without a year.</p>}
        </>
      )}
    </QueryBoundary>
  );
}

interface Year {
  year: number;
  count: number;
  /** '2 synthetic, 1 FDA approval'; empty where nothing is stated. */
  sources: string;
  share: number;
}

function yearsOf({ years }: History): Year[] {
  const byYear = new Map<number, History["years"]>();
  for (const one of years) byYear.set(one.year, [...(byYear.get(one.year) ?? []), one]);
  const counted = [...byYear].map(([year, parts]) => ({
    year,
    count: parts.reduce((sum, { count }) => sum + count, 0),
    sources: parts.filter(({ source }) => source).map(({ source, count }) => `${count} ${source}`).join(", "),
  }));
  const most = Math.max(1, ...counted.map(({ count }) => count));
  return counted.map((one) => ({ ...one, share: one.count / most }));
}
