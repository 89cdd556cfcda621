import { useState } from "react";
import { Button } from "@/components/Button";
import { formatPlural } from "@/lib/format";
import type { Section } from "./api";
import styles from "./Entity.module.css";

/** About two lines of seventy characters. */
const SUMMARY_CHARACTERS = 150;
/** About four lines: a document of so few is shown whole. */
const SHORT_CHARACTERS = 220;
const SHORT_SECTIONS = 5;
/** With more characters per word on average, the text has no spaces between words. */
const MAX_SECTION_CHARACTERS = 20;

/** What is written about an entity: a summary of two lines, then section by section with its sources. */
export function DocumentSections({ sections }: { sections: Section[] }) {
  const [isWhole, setWhole] = useState(false);
  const [first] = sections;
  if (!first) return null;
  const characters = sections.reduce((sum, { text }) => sum + text.length, 0);
  if (characters <= SHORT_CHARACTERS && sections.length <= SHORT_SECTIONS) return <ShortDocument sections={sections} />;
  return (
    <section className={styles.document} aria-label="Document">
      {isWhole
        // Two sections may carry the same title; their order does not change.
        ? sections.map((section, at) => <SectionText key={at} section={section} />)
        : <Summary sections={sections} />}
      <div>
        <Button variant="quiet" onPress={() => setWhole(!isWhole)} aria-expanded={isWhole}>
          {isWhole ? "Show less of the document" : `Show the whole document, ${lengthLabel(sections, characters)}`}
        </Button>
      </div>
    </section>
  );
}

/** A paragraph for each section, and all sources below. */
function ShortDocument({ sections }: { sections: Section[] }) {
  const sources = [...new Set(sections.map(({ source }) => source))].filter(Boolean);
  return (
    <section className={styles.document} aria-label="Document">
      <div className={styles.section}>
        {sections.map(({ title, text }, at) => (
          <p key={at} className={styles.text}>{title && <><b>{title}</b>: </>}{text}</p>
        ))}
        {sources.length > 0 && <p className={styles.source}>{sources.length === 1 ? "Source" : "Sources"}: {sources.join("; ")}</p>}
      </div>
    </section>
  );
}

/** As many whole sections as two lines hold, at least the beginning of the first. */
function Summary({ sections }: { sections: Section[] }) {
  const [first, ...rest] = sections;
  if (!first) return null;
  let text = first.text;
  let source = first.source;
  for (const next of rest) {
    if (text.length + next.text.length >= SUMMARY_CHARACTERS || next.source !== source) break;
    text = `${text} ${next.text}`;
    source = next.source;
  }
  return (
    <div className={styles.section}>
      <p className={`${styles.text} ${styles.summary}`}>{textStart(text)}</p>
      {source && <p className={styles.source}>Source: {source}</p>}
    </div>
  );
}

/** In words, or in characters where the language has no spaces. */
function lengthLabel(sections: Section[], characters: number): string {
  const words = sections.reduce((sum, { text }) => sum + text.split(/\s+/).filter(Boolean).length, 0);
  return characters > MAX_SECTION_CHARACTERS * words ? formatPlural(characters, "character") : formatPlural(words, "word");
}

/** The beginning, up to a gap between words if there is one near; never half of a surrogate pair. */
function textStart(text: string): string {
  if (text.length <= SUMMARY_CHARACTERS) return text;
  const gap = text.lastIndexOf(" ", SUMMARY_CHARACTERS);
  const start = text.slice(0, gap > SUMMARY_CHARACTERS / 2 ? gap : SUMMARY_CHARACTERS).replace(/[\ud800-\udbff]$/, "");
  return `${start} …`;
}

function SectionText({ section: { title, text, source } }: { section: Section }) {
  return (
    <div className={styles.section}>
      {title && <h2>{title}</h2>}
      <p className={styles.text}>{text}</p>
      {source && <p className={styles.source}>Source: {source}</p>}
    </div>
  );
}
