import { useState } from "react";
import { Button } from "@/components/Button";
import { plural } from "@/lib/format";
import type { Section } from "./api";
import styles from "./Entity.module.css";

/** A document of fewer words is shown whole. */
const SHORT = 220;
const FIRST = 3;
const LONG = 900;

/** What is written about an entity, section by section, each with the source of its sentences. */
export function Document({ sections }: { sections: Section[] }) {
  const [all, setAll] = useState(false);
  if (sections.length === 0) return null;
  const words = sections.reduce((sum, { text }) => sum + text.split(/\s+/).filter(Boolean).length, 0);
  const isLong = words > SHORT && (sections.length > FIRST || sections.some(({ text }) => text.length > LONG));
  const isWhole = all || !isLong;
  const shown = isWhole ? sections : sections.slice(0, FIRST);
  return (
    <section className={styles.document} aria-label="Document">
      {shown.map((section, at) => (
        // Two sections may carry the same title; their order does not change.
        <SectionText key={at} section={section} isWhole={isWhole} />
      ))}
      {isLong && (
        <div>
          <Button look="quiet" onPress={() => setAll(!all)} aria-expanded={all}>
            {all ? "Show less of the document" : `Show the whole document, ${plural(words, "word")}`}
          </Button>
        </div>
      )}
    </section>
  );
}

function SectionText({ section, isWhole }: { section: Section; isWhole: boolean }) {
  const { title, text, source } = section;
  const cut = !isWhole && text.length > LONG ? `${text.slice(0, text.lastIndexOf(" ", LONG))} …` : text;
  return (
    <div className={styles.section}>
      {title && <h2>{title}</h2>}
      <p className={styles.text}>{cut}</p>
      {source && <p className={styles.source}>Source: {source}</p>}
    </div>
  );
}
