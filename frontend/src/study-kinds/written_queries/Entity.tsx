import { Evidence } from "@/domains/studies/marks/Evidence";
import type { WrittenQueryItem } from "./answer";
import styles from "./Query.module.css";

/** What the answer is called, which no query may contain, and what is known about it. */
export function Entity({ item }: { item: WrittenQueryItem }) {
  const { answer, synonyms, identifiers } = item;
  return (
    <>
      <dl className={styles.names}>
        <div><dt>Answer</dt><dd translate="no">{answer}</dd></div>
        {synonyms.length > 0 && <div><dt>Also called</dt><dd translate="no">{synonyms.join(", ")}</dd></div>}
        <div><dt>Identifiers</dt><dd translate="no">{identifiers.join(", ")}</dd></div>
      </dl>
      <Evidence item={item} emptyText="Nothing is known about this entity." />
    </>
  );
}
