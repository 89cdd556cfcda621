import { ExternalLink } from "@/components/ExternalLink";
import { Tag } from "@/components/Tag";
import { formatCount, formatPlural } from "@/lib/format";
import styles from "./PaperList.module.css";
import type { NamingPapers, Paper } from "./paperQueries";

/** The papers of one collection, and how many more there are. */
export function PaperList({ naming }: { naming: NamingPapers }) {
  const { collection, papers, count, undated, is_complete: isComplete } = naming;
  const least = isComplete ? "" : "at least ";
  return (
    <section className={styles.collection} aria-label={collection.name}>
      <p className={styles.quiet}>
        {collection.name}: {least}{formatPlural(count, "paper")}
        {papers.length < count && `, the first ${formatCount(papers.length)} shown`}. Licence: {collection.licence}.
      </p>
      <ul className={styles.papers}>
        {papers.map((paper) => <li key={paper.id}><PaperEntry paper={paper} /></li>)}
      </ul>
      {undated > 0 && <p className={styles.quiet} role="status">{formatPlural(undated, "undated paper")} left out.</p>}
    </section>
  );
}

function PaperEntry({ paper: { id, url, date, title, abstract, note, is_synthetic: isSynthetic } }: { paper: Paper }) {
  return (
    <>
      <p className={styles.title}><bdi>{title || "Without a title"}</bdi></p>
      <p className={styles.facts}>
        <span>{date || "No date"}</span>
        {url ? <ExternalLink href={url}>PMID {id}</ExternalLink> : <span>{id}</span>}
        {isSynthetic && <Tag>Synthetic: this paper does not exist</Tag>}
      </p>
      {abstract && (
        <details className={styles.abstract}>
          <summary>Text<span className="visually-hidden"> of {title}</span></summary>
          <p className={styles.text}>{abstract}</p>
          {note && <p className={styles.quiet}>{note}</p>}
        </details>
      )}
    </>
  );
}
