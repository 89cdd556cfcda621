import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { EmptyState } from "@/components/EmptyState";
import { Pager } from "@/components/Pager";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { Tag } from "@/components/Tag";
import { formatMoney } from "@/domains/endpoints/labels";
import { formatPlural } from "@/lib/format";
import { endingLabel } from "./labels";
import { ANSWERS_OF_A_PAGE, explorationsQuery, isActive, type Exploration, type Run } from "./queries";
import styles from "./Runs.module.css";
import { useExplorationUpdates } from "./useExploration";

/** The roots of a guided exploration; each has a page where it is followed and replayed. */
export function RunExplorations({ run }: { run: Run }) {
  const [offset, setOffset] = useState(0);
  const { refetchInterval } = useExplorationUpdates(run.id, isActive(run.state));
  const explorations = useQuery({ ...explorationsQuery(run, offset), refetchInterval, placeholderData: (before) => before });
  return (
    <section className={styles.section} aria-label="Explorations">
      <h2>Explorations</h2>
      <QueryBoundary query={explorations} skeleton={<SkeletonRows rows={4} />}>
        {({ results, count }) => (
          <>
            {results.length === 0 && <EmptyState>No exploration can be shown yet.</EmptyState>}
            <ul className={styles.answers}>{results.map((one) => <Root key={`${one.split}:${one.position}`} run={run} exploration={one} />)}</ul>
            {results.some((one) => one.has_ended) && <p><a href={`/api/v1/runs/${run.id}/summaries.jsonl`} download>Summaries with their paths, for a judge</a></p>}
            <Pager label="Pages of explorations" offset={offset} total={count} size={ANSWERS_OF_A_PAGE} onOffset={setOffset} />
          </>
        )}
      </QueryBoundary>
    </section>
  );
}

function Root({ run, exploration }: { run: Run; exploration: Exploration }) {
  const { split, position, root, root_name: name, question, leaves, ending, calls, cost } = exploration;
  return (
    <li className={styles.answer}>
      <p>{question}</p>
      <p className={styles.row}>
        <Link to={`/runs/${run.id}/explorations/${split}/${position}`}>From {name || root}</Link>
        <Tag>{exploration.has_ended ? endingLabel(ending) : `At level ${exploration.level}`}</Tag>
        <span className={styles.quiet}>{formatPlural(leaves, "leaf", "leaves")}, {formatPlural(calls, "request")}, {formatMoney(cost)}</span>
      </p>
    </li>
  );
}
