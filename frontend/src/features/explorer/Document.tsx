import { useState } from "react";
import { Button } from "@/components/Button";
import { plural } from "@/lib/format";
import type { Section } from "./api";
import styles from "./Entity.module.css";

/** A document of fewer letters is shown whole. */
const SHORT = 1400;
const FIRST = 3;
const LONG = 900;
/** Letters a word on average, beyond which these are not words. */
const LONGEST_WORDS = 20;

/** What is written about an entity, section by section, each with the source of its sentences. */
export function Document({ sections }: { sections: Section[] }) {
  const [all, setAll] = useState(false);
  if (sections.length === 0) return null;
  const letters = sections.reduce((sum, { text }) => sum + text.length, 0);
  const isLong = letters > SHORT && (sections.length > FIRST || sections.some(({ text }) => text.length > LONG));
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
            {all ? "Show less of the document" : `Show the whole document, ${lengthWords(sections, letters)}`}
          </Button>
        </div>
      )}
    </section>
  );
}

/** In words, or in letters where the language does not part its words. */
function lengthWords(sections: Section[], letters: number): string {
  const words = sections.reduce((sum, { text }) => sum + text.split(/\s+/).filter(Boolean).length, 0);
  return letters > LONGEST_WORDS * words ? plural(letters, "letter") : plural(words, "word");
}

/** The beginning, up to a gap between words if there is one near; never half of a letter. */
function beginning(text: string): string {
  const gap = text.lastIndexOf(" ", LONG);
  return text.slice(0, gap > LONG / 2 ? gap : LONG).replace(/[\ud800-\udbff]$/, "");
}

function SectionText({ section, isWhole }: { section: Section; isWhole: boolean }) {
  const { title, text, source } = section;
  const cut = !isWhole && text.length > LONG ? `${beginning(text)} …` : text;
  return (
    <div className={styles.section}>
      {title && <h2>{title}</h2>}
      <p className={styles.text}>{cut}</p>
      {source && <p className={styles.source}>Source: {source}</p>}
    </div>
  );
}
