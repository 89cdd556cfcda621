import { ExternalLink } from "@/components/ExternalLink";
import { firstSeenLabel, publicationLabel } from "@/domains/graphs/evidenceLabels";
import { formatPlural } from "@/lib/format";
import type { Evidence, Publication } from "./api";
import styles from "./Explorer.module.css";
import { hasEvidence, NO_EVIDENCE, formatNumber } from "./labels";

/** Everything that the graph has on why an edge is there. */
export function EvidenceCard({ evidence }: { evidence: Evidence | null }) {
  if (!hasEvidence(evidence)) {
    return <p className={styles.quiet}>The graph records no evidence for this link.</p>;
  }
  const { source, level, score, p_value: p, publications, first_seen: firstSeen, row_count: rowCount } = evidence;
  return (
    <dl className={styles.evidence}>
      {source && <><dt>Stated by</dt><dd>{source}</dd></>}
      {level && <><dt>Kind</dt><dd>{level}</dd></>}
      {score !== null && <><dt>Score</dt><dd>{formatNumber(score)}, on the scale of its source</dd></>}
      {p !== null && <><dt>p-value</dt><dd>{formatNumber(p)}</dd></>}
      {publications.length > 0 && <><dt>Publications</dt><dd><Publications all={publications} /></dd></>}
      {firstSeen && <><dt>First seen</dt><dd><FirstSeen {...firstSeen} /></dd></>}
      {rowCount > 1 && <><dt>Repeated</dt><dd>{formatPlural(rowCount, "equal row")} of the source became this one edge</dd></>}
    </dl>
  );
}

function FirstSeen(firstSeen: NonNullable<Evidence["first_seen"]>) {
  const label = firstSeenLabel(firstSeen);
  return firstSeen.url ? <ExternalLink href={firstSeen.url}>{label}</ExternalLink> : label;
}

function Publications({ all }: { all: Publication[] }) {
  return (
    <ul className={styles.publications}>
      {all.map(({ curie, url }) => (
        <li key={curie}>{url ? <ExternalLink href={url}>{publicationLabel(curie)}</ExternalLink> : curie}</li>
      ))}
    </ul>
  );
}

/** The evidence in a few words, all of it behind them. */
export function EvidenceDetails({ evidence, summary }: { evidence: Evidence | null; summary: string }) {
  if (!hasEvidence(evidence)) return <span className={styles.quiet}>{NO_EVIDENCE}</span>;
  return (
    <details className={styles.details}>
      <summary>{summary}</summary>
      <EvidenceCard evidence={evidence} />
    </details>
  );
}
