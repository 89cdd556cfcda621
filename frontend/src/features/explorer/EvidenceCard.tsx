import { ExternalLink } from "@/components/ExternalLink";
import { publicationWords } from "@/lib/evidenceWords";
import { plural } from "@/lib/format";
import type { Evidence, Publication } from "./api";
import styles from "./Explorer.module.css";
import { hasEvidence, NO_EVIDENCE, number } from "./words";

/** Everything that the graph says about why an edge is there. */
export function EvidenceCard({ evidence }: { evidence: Evidence | null }) {
  if (!hasEvidence(evidence)) {
    return <p className={styles.quiet}>No evidence recorded: the graph states this without saying where it is from.</p>;
  }
  const { source, level, score, p_value: p, publications, folded } = evidence;
  return (
    <dl className={styles.evidence}>
      {source && (<><dt>Stated by</dt><dd>{source}</dd></>)}
      {level && (<><dt>Kind</dt><dd>{level}</dd></>)}
      {score !== null && (<><dt>Score</dt><dd>{number(score)}, on the scale of its source</dd></>)}
      {p !== null && (<><dt>p-value</dt><dd>{number(p)}</dd></>)}
      {publications.length > 0 && (<><dt>Read it at</dt><dd><Publications all={publications} /></dd></>)}
      {folded > 1 && (<><dt>Repeated</dt><dd>{plural(folded, "equal row")} of the source became this one edge</dd></>)}
    </dl>
  );
}

function Publications({ all }: { all: Publication[] }) {
  return (
    <ul className={styles.publications}>
      {all.map(({ curie, url }) => (
        <li key={curie}>{url ? <ExternalLink href={url}>{publicationWords(curie)}</ExternalLink> : curie}</li>
      ))}
    </ul>
  );
}

/** The evidence in a few words, all of it behind them. */
export function EvidenceDetails({ evidence, words }: { evidence: Evidence | null; words: string }) {
  if (!hasEvidence(evidence)) return <span className={styles.quiet}>{NO_EVIDENCE}</span>;
  return (
    <details className={styles.details}>
      <summary>{words}</summary>
      <EvidenceCard evidence={evidence} />
    </details>
  );
}
