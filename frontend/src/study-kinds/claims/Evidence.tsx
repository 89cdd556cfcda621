import type { ReactNode } from "react";
import { ExternalLink } from "@/components/ExternalLink";
import { isMarked } from "@/domains/studies/marks/marks";
import { Passage } from "@/domains/studies/marks/Passage";
import { edgeText, type ClaimItem, type Mark, type ShownDocument } from "./answer";
import styles from "./Claim.module.css";

interface Props {
  item: ClaimItem;
  because: Mark[];
  /** Absent where nothing can be changed. */
  onMark?: (mark: Mark) => void;
}

export function Evidence({ item: { documents, edges }, ...marking }: Props) {
  if (!documents.length && !edges.length) return <p className={styles.none}>No document or edge was found for this claim.</p>;
  return (
    <>
      {documents.map((document, at) => <Document key={document.id} document={document} number={at + 1} {...marking} />)}
      {edges.length > 0 && (
        <section className={styles.card} aria-label="Edges">
          <h2 className={styles.title}>Edges of the graph</h2>
          <ul className={styles.passages}>
            {edges.map((edge, at) => (
              <EvidencePassage key={at} mark={{ document: null, number: at }} {...marking}>
                {edgeText(edge)}
                {edge.origin && <span className={styles.origin}> {edge.origin}</span>}
              </EvidencePassage>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Document({ document: { id, title, source, sentences }, number, ...marking }: { document: ShownDocument; number: number } & Omit<Props, "item">) {
  return (
    <section className={styles.card} aria-label={`Document ${number}`}>
      <h2 className={styles.title}>{title || `Document ${number}`}</h2>
      <ul className={styles.passages}>
        {sentences.map((text, at) => (
          <EvidencePassage key={at} mark={{ document: id, number: at }} {...marking}>{text.trim()}</EvidencePassage>
        ))}
      </ul>
      {source && <p className={styles.source}>Source: <ExternalLink href={source}>{source}</ExternalLink></p>}
    </section>
  );
}

function EvidencePassage({ mark, because, onMark, children }: { mark: Mark; children: ReactNode } & Omit<Props, "item">) {
  return (
    <li>
      <Passage isMarked={isMarked(because, mark)} onToggle={onMark && (() => onMark(mark))}>{children}</Passage>
    </li>
  );
}
