import type { ReactNode } from "react";
import { ExternalLink } from "@/components/ExternalLink";
import styles from "./Evidence.module.css";
import { isMarked } from "./marks";
import { Passage } from "./Passage";
import { edgeText, type Edge, type PassageMark, type ShownDocument } from "./passages";

interface Props {
  item: { documents: ShownDocument[]; edges: Edge[] };
  /** Where there is neither document nor edge. */
  emptyText: string;
  because?: PassageMark[];
  /** Absent where nothing can be changed. */
  onMark?: (mark: PassageMark) => void;
}

type Marking = Omit<Props, "item" | "emptyText">;

/** Documents by their sentences, and edges, each of which can be marked. */
export function Evidence({ item: { documents, edges }, emptyText, ...marking }: Props) {
  if (!documents.length && !edges.length) return <p className={styles.none}>{emptyText}</p>;
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

function Document({ document: { id, title, source, sentences }, number, ...marking }: { document: ShownDocument; number: number } & Marking) {
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

function EvidencePassage({ mark, because = [], onMark, children }: { mark: PassageMark; children: ReactNode } & Marking) {
  return (
    <li>
      <Passage isMarked={isMarked(because, mark)} onToggle={onMark && (() => onMark(mark))}>{children}</Passage>
    </li>
  );
}
