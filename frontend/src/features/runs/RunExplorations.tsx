import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { EmptyState } from "@/components/EmptyState";
import { Pager } from "@/components/Pager";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { Tag } from "@/components/Tag";
import { formatMoney } from "@/domains/endpoints/labels";
import { formatList, formatPlural } from "@/lib/format";
import { endingLabel } from "./labels";
import { ANSWERS_OF_A_PAGE, explorationsQuery, trajectoryQuery, type Exploration, type ExplorationLevel, type ExploredNode, type Run, type Trajectory } from "./queries";
import styles from "./Runs.module.css";

/** The roots of a guided exploration; the address names the one whose levels are shown. */
export function RunExplorations({ run }: { run: Run }) {
  const [address] = useSearchParams();
  const [offset, setOffset] = useState(0);
  const explorations = useQuery({ ...explorationsQuery(run, offset), placeholderData: (before) => before });
  const chosen = address.get("root");
  return (
    <section className={styles.section} aria-label="Explorations">
      <h2>Explorations</h2>
      <QueryBoundary query={explorations} skeleton={<SkeletonRows rows={4} />}>
        {({ results, count }) => (
          <>
            {results.length === 0 && <EmptyState>No exploration can be shown yet.</EmptyState>}
            <ul className={styles.answers}>{results.map((one) => <Root key={keyOf(one)} exploration={one} isChosen={keyOf(one) === chosen} />)}</ul>
            {results.some((one) => one.has_ended) && <p><a href={`/api/v1/runs/${run.id}/summaries.jsonl`} download>Summaries with their paths, for a judge</a></p>}
            <Pager label="Pages of explorations" offset={offset} total={count} size={ANSWERS_OF_A_PAGE} onOffset={setOffset} />
          </>
        )}
      </QueryBoundary>
      {chosen !== null && ROOT.test(chosen) && <Levels run={run} root={chosen} />}
    </section>
  );
}

const ROOT = /^(dev|test):[0-9]{1,9}$/;

const keyOf = ({ split, position }: Exploration) => `${split}:${position}`;

function Root({ exploration, isChosen }: { exploration: Exploration; isChosen: boolean }) {
  const { root, root_name: name, question, leaves, ending, calls, cost } = exploration;
  return (
    <li className={styles.answer}>
      <p>{question}</p>
      <p className={styles.row}>
        <Link to={{ search: `?${new URLSearchParams({ root: keyOf(exploration) })}` }} aria-current={isChosen} preventScrollReset>From {name || root}</Link>
        <Tag>{exploration.has_ended ? endingLabel(ending) : `At level ${exploration.level}`}</Tag>
        <span className={styles.quiet}>{formatPlural(leaves, "leaf", "leaves")}, {formatPlural(calls, "request")}, {formatMoney(cost)}</span>
      </p>
    </li>
  );
}

function Levels({ run, root }: { run: Run; root: string }) {
  const trajectory = useQuery(trajectoryQuery(run, root));
  return (
    <QueryBoundary query={trajectory} skeleton={<SkeletonRows rows={4} />}>
      {(data) => (
        <section className={styles.section} aria-label="Levels">
          <h3>Levels from {data.root_name || data.root}</h3>
          <ol className={styles.answers}>{data.levels.map((level) => <Level key={level.level} level={level} summary={summaryOf(data, level.level)} />)}</ol>
        </section>
      )}
    </QueryBoundary>
  );
}

const summaryOf = ({ summaries }: Trajectory, level: number) => summaries.find((one) => one.level === level)?.text ?? "";

/** What was offered, what was chosen and why, and what it cost. */
function Level({ level, summary }: { level: ExplorationLevel; summary: string }) {
  const { relations, edges, chosen } = level;
  return (
    <li className={styles.answer}>
      <p className={styles.row}>
        <strong>Level {level.level}</strong>
        <span className={styles.quiet}>{formatPlural(edges.length, "edge")} offered, {formatPlural(chosen.length, "entity", "entities")} chosen, {formatMoney(level.cost)}</span>
      </p>
      <p>{chosen.length > 0 ? formatList(chosen.map(nodeText)) : "No entity was chosen."}</p>
      {level.reason && <p className={styles.quiet}>Why: {level.reason}</p>}
      {level.faults.map((fault) => <p key={fault} className={styles.quiet}>An answer could not be read: {fault}</p>)}
      {(summary || level.description) && <p>{summary || level.description}</p>}
      {level.goes_on !== null && <p className={styles.quiet}>{level.goes_on ? "The model went on" : "The model stopped"}{level.decision_reason && `: ${level.decision_reason}`}</p>}
      <details className={styles.details}>
        <summary>Relations and edges that were offered</summary>
        <ul>
          {relations.map(({ node, offered, chosen: followed, reason, fault }) => (
            <li key={node.id}>{nodeText(node)}: {followed.length > 0 ? formatList(followed) : "none"} of {formatPlural(offered.length, "relation")}{(reason || fault) && ` (${reason || fault})`}</li>
          ))}
        </ul>
        <ul>
          {edges.map(({ source, phrase, target, weight, prognosis, is_chosen: isChosen }, at) => (
            <li key={at}>
              {nodeText(source)} {phrase} {nodeText(target)}
              {weight !== null && `, weight ${weight.toFixed(2)}`}
              {prognosis !== 0 && `, ${prognosis > 0 ? "favourable" : "unfavourable"} prognosis`} {isChosen && <Tag>Chosen</Tag>}
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}

const nodeText = ({ id, name }: ExploredNode) => name || id;
