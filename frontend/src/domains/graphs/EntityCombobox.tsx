import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useId, useState, type Ref } from "react";
import { Combobox, ComboboxOption } from "@/components/Combobox";
import { errorMessage } from "@/lib/errorMessages";
import { formatPlural } from "@/lib/format";
import { useDebounced } from "@/lib/useDebounced";
import { useListboxKeys } from "@/lib/useListboxKeys";
import styles from "./EntityCombobox.module.css";
import { searchQuery, type SearchHit, type GraphRef } from "./graphQueries";
import { matchLabel } from "./labels";
import { TypeIcon } from "./TypeIcon";

const DEBOUNCE_MS = 120;
const MAX_SUGGESTIONS = 8;

interface Props {
  graphRef: GraphRef;
  label: string;
  /** For a field whose purpose is clear without a visible label. */
  isLabelHidden?: boolean;
  initial?: string;
  onPick: (hit: SearchHit) => void;
  /** What Enter does while nothing in the list is chosen; without it, the first is picked. */
  onSubmit?: (q: string) => void;
  inputRef?: Ref<HTMLInputElement>;
}

/** A field that suggests entities while one types: names, synonyms, identifiers. */
export function EntityCombobox({ graphRef, label, isLabelHidden = false, initial = "", onPick, onSubmit, inputRef }: Props) {
  const id = useId();
  const [text, setText] = useState(initial);
  const [isExpanded, setOpen] = useState(false);
  // By its id: the list may change while one is on the way to Enter.
  const [activeId, setActiveId] = useState<string | null>(null);
  const list = useSuggestions(graphRef, text, isExpanded);
  const { hits } = list;
  const isOpen = isExpanded && text.trim() !== "";
  const active = hits.findIndex((hit) => hit.id === activeId);
  const current = isOpen ? hits[active] : undefined;
  const setActive = (at: number) => setActiveId(hits[at]?.id ?? null);

  const pick = (hit: SearchHit) => {
    setOpen(false);
    setActiveId(null);
    setText(onSubmit ? hit.name : "");
    onPick(hit);
  };
  const submit = () => {
    if (current) return pick(current);
    if (onSubmit) {
      setOpen(false);
      return onSubmit(text);
    }
    if (hits[0] && !list.isStale) pick(hits[0]);
  };
  const keys = useListboxKeys({ count: hits.length, active, setActive, isOpen, setOpen, clear: () => setText(""), submit });

  return (
    <div className={styles.box}>
      <label htmlFor={id} className={isLabelHidden ? "visually-hidden" : styles.label}>{label}</label>
      <Combobox
        id={id}
        listLabel={`${label}: suggestions`}
        isOpen={isOpen}
        active={current ? active : -1}
        note={list.words}
        status={list.isStale ? "" : (list.words ?? `${formatPlural(hits.length, "suggestion")}.`)}
        input={{
          ref: inputRef,
          id,
          placeholder: "Name, synonym or identifier",
          value: text,
          onChange: (event) => {
            setText(event.target.value);
            setOpen(true);
            setActiveId(null);
          },
          onKeyDown: keys,
          onBlur: () => setOpen(false),
        }}
      >
        {hits.map((hit, at) => (
          <ComboboxOption key={hit.id} id={`${id}-${at}`} className={styles.option} isActive={at === active} onPick={() => pick(hit)}>
            <Suggestion hit={hit} />
          </ComboboxOption>
        ))}
      </Combobox>
    </div>
  );
}

function Suggestion({ hit }: { hit: SearchHit }) {
  const note = matchLabel(hit);
  return (
    <>
      <TypeIcon type={hit.type} />
      <span className={styles.name}>{hit.name}{note && <span className={styles.note}>{note}</span>}</span>
      <span className={styles.kind}>{hit.type}</span>
    </>
  );
}

function useSuggestions(where: GraphRef, text: string, open: boolean) {
  const q = useDebounced(text.trim(), DEBOUNCE_MS);
  const query = searchQuery(where, { q, types: [], mode: "names", limit: MAX_SUGGESTIONS });
  const search = useQuery({ ...query, enabled: open && q !== "", placeholderData: keepPreviousData });
  const hits = q === "" ? [] : (search.data?.results ?? []);
  const isStale = q !== text.trim() || search.isPlaceholderData || search.isPending;
  let words: string | null = null;
  if (search.isError) words = errorMessage(search.error);
  else if (!isStale && hits.length === 0) words = "No matching entity in this graph.";
  else if (search.isPending) words = "Searching";
  return { hits, isStale, words };
}
