import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { RadioChoiceGroup } from "@/components/ChoiceGroup";
import { TextField } from "@/components/TextField";
import type { Release } from "@/domains/evaluation/queries";
import { formatCount } from "@/lib/format";
import styles from "./Errata.module.css";
import { keyText, questionOf } from "./labels";
import { itemsQuery, type Item } from "./queries";

const SHOWN = 6;

interface Props {
  release: Release;
  value: Item | null;
  onChange: (item: Item) => void;
}

/** One item of a release, by words of its text or of its key. */
export function ItemPicker({ release, value, onChange }: Props) {
  const [words, setWords] = useState("");
  const items = useQuery(itemsQuery(release)).data;
  const matching = findMatching(items ?? [], useDeferredValue(words));
  const isSearched = words.trim() !== "";
  const options = matching.slice(0, SHOWN).map(({ key, content }) => ({ value: JSON.stringify(key), label: keyText(key), hint: questionOf(content) }));
  const choose = (chosen: string) => {
    const item = matching.find(({ key }) => JSON.stringify(key) === chosen);
    if (item) onChange(item);
  };
  return (
    <div className={styles.picker}>
      <TextField label="Find the item" hint="Words of its text or its key." value={words} onChange={setWords} />
      {items && isSearched && matching.length === 0 && <p className={styles.quiet} role="status">No item has these words.</p>}
      {options.length > 0 && <RadioChoiceGroup label="Item" options={options} value={value && JSON.stringify(value.key)} onChange={choose} />}
      {matching.length > SHOWN && <p className={styles.quiet}>{formatCount(matching.length - SHOWN)} more; add words to find them.</p>}
    </div>
  );
}

/** None before there are words. */
function findMatching(items: Item[], words: string): Item[] {
  const terms = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (terms.length === 0) return [];
  return items.filter(({ content }) => {
    const text = Object.values(content).join(" ").toLowerCase();
    return terms.every((word) => text.includes(word));
  });
}
