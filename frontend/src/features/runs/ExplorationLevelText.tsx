import { Tag } from "@/components/Tag";
import { formatMoney } from "@/domains/endpoints/labels";
import { entityName } from "@/domains/graphs/walks/walk";
import { formatCount, formatList, formatPlural } from "@/lib/format";
import type { ExplorationLevel } from "./queries";
import styles from "./Runs.module.css";

/** What was offered, what was chosen and why, and what it cost. */
export function ExplorationLevelText({ level, summary }: { level: ExplorationLevel; summary: string }) {
  const { relations, edges, chosen, cost } = level;
  return (
    <article className={styles.level} aria-label={`Level ${formatCount(level.level)}`}>
      <p className={styles.row}>
        <strong>Level {formatCount(level.level)}</strong>
        <span className={styles.quiet}>{formatPlural(edges.length, "edge")} offered, {formatMoney(cost)}</span>
      </p>
      <p>{chosen.length > 0 ? `Chosen: ${formatList(chosen.map(entityName))}.` : "No entity was chosen."}</p>
      {level.reason && <p className={styles.quiet}>Why: {level.reason}</p>}
      {level.faults.map((fault) => <p key={fault} className={styles.quiet}>An answer could not be read: {fault}</p>)}
      {(summary || level.description) && <p>{summary || level.description}</p>}
      {level.goes_on !== null && <p className={styles.quiet}>{level.goes_on ? "The model went on" : "The model stopped"}{level.decision_reason && `: ${level.decision_reason}`}</p>}
      <details className={styles.details}>
        <summary>Relations and edges that were offered</summary>
        <ul>
          {relations.map(({ node, offered, chosen: followed, reason, fault }) => (
            <li key={node.id}>{entityName(node)}: {followed.length > 0 ? formatList(followed) : "none"} of {formatPlural(offered.length, "relation")}{(reason || fault) && ` (${reason || fault})`}</li>
          ))}
        </ul>
        <ul>
          {edges.map(({ source, phrase, target, weight, prognosis, is_chosen: isChosen }, at) => (
            <li key={at}>
              {entityName(source)} {phrase} {entityName(target)}
              {weight !== null && `, weight ${weight.toFixed(2)}`}
              {prognosis !== 0 && `, ${prognosis > 0 ? "favourable" : "unfavourable"} prognosis`} {isChosen && <Tag>Chosen</Tag>}
            </li>
          ))}
        </ul>
      </details>
    </article>
  );
}
