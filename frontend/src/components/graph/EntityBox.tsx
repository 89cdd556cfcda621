import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useEffect, useId, useRef, useState, type KeyboardEvent, type Ref } from "react";
import { plural } from "@/lib/format";
import { searchQuery, type Hit, type Where } from "@/lib/graphs/reading";
import { matchWords } from "@/lib/graphs/words";
import { sentenceOf } from "@/lib/problems";
import styles from "./EntityBox.module.css";
import { TypeMark } from "./TypeMark";
import { useDebounced } from "./useDebounced";

const PAUSE_MS = 120;
const SUGGESTIONS = 8;

interface Props {
  where: Where;
  label: string;
  /** Shown where there is no room for the label above the field. */
  isLabelHidden?: boolean;
  initial?: string;
  onPick: (hit: Hit) => void;
  /** What Enter does while nothing in the list is chosen; without it, the first is picked. */
  onSubmit?: (q: string) => void;
  inputRef?: Ref<HTMLInputElement>;
}

/** A field that suggests entities while one types: names, synonyms, identifiers. */
export function EntityBox({ where, label, isLabelHidden = false, initial = "", onPick, onSubmit, inputRef }: Props) {
  const id = useId();
  const [text, setText] = useState(initial);
  const [open, setOpen] = useState(false);
  // By its id: the list may change while one is on the way to Enter.
  const [activeId, setActiveId] = useState<string | null>(null);
  const list = useSuggestions(where, text, open);
  const { hits } = list;
  const shown = open && text.trim() !== "";
  const active = hits.findIndex((hit) => hit.id === activeId);
  const current = shown ? hits[active] : undefined;
  const setActive = (at: number) => setActiveId(hits[at]?.id ?? null);

  const pick = (hit: Hit) => {
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
  const keys = useKeys({ count: hits.length, active, setActive, shown, setOpen, clear: () => setText(""), submit });

  return (
    <div className={styles.box}>
      <label htmlFor={id} className={isLabelHidden ? "visually-hidden" : styles.label}>
        {label}
      </label>
      <div className={styles.field}>
        <Search size={16} aria-hidden className={styles.icon} />
        <input
          ref={inputRef}
          id={id}
          className={styles.input}
          role="combobox"
          type="text"
          aria-autocomplete="list"
          aria-expanded={shown}
          aria-controls={`${id}-list`}
          aria-activedescendant={current ? `${id}-${active}` : undefined}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="search"
          placeholder="Name, synonym or identifier"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setOpen(true);
            setActiveId(null);
          }}
          onKeyDown={keys}
          onBlur={() => setOpen(false)}
        />
      </div>
      <div hidden={!shown} className={styles.popup}>
        <div id={`${id}-list`} role="listbox" aria-label={`${label}: suggestions`}>
          {shown && hits.map((hit, at) => (
            <Suggestion key={hit.id} id={`${id}-${at}`} hit={hit} isActive={at === active} onPick={() => pick(hit)} />
          ))}
        </div>
        {list.words && <p className={styles.state}>{list.words}</p>}
      </div>
      <span className="visually-hidden" role="status">
        {shown && !list.isStale ? (list.words ?? `${plural(hits.length, "suggestion")}.`) : ""}
      </span>
    </div>
  );
}

interface SuggestionProps {
  id: string;
  hit: Hit;
  isActive: boolean;
  onPick: () => void;
}

function Suggestion({ id, hit, isActive, onPick }: SuggestionProps) {
  const note = matchWords(hit);
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView?.({ block: "nearest" });
  }, [isActive]);
  return (
    // The field has the keys and keeps the focus: the list only follows it.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      ref={row}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className={styles.option}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPick}
    >
      <TypeMark type={hit.type} />
      <span className={styles.name}>
        {hit.name}
        {note && <span className={styles.note}>{note}</span>}
      </span>
      <span className={styles.kind}>{hit.type}</span>
    </div>
  );
}

function useSuggestions(where: Where, text: string, open: boolean) {
  const q = useDebounced(text.trim(), PAUSE_MS);
  const search = searchQuery(where, { q, types: [], mode: "names", limit: SUGGESTIONS });
  const found = useQuery({ ...search, enabled: open && q !== "", placeholderData: keepPreviousData });
  const hits = q === "" ? [] : (found.data?.results ?? []);
  const isStale = q !== text.trim() || found.isPlaceholderData || found.isPending;
  let words: string | null = null;
  if (found.isError) words = sentenceOf(found.error);
  else if (!isStale && hits.length === 0) words = "Nothing is called that here.";
  else if (found.isPending) words = "Searching";
  return { hits, isStale, words };
}

interface KeyProps {
  count: number;
  active: number;
  setActive: (at: number) => void;
  shown: boolean;
  setOpen: (open: boolean) => void;
  clear: () => void;
  submit: () => void;
}

/** The keys of the combobox pattern: arrows walk, Enter takes, Escape closes and then clears. */
function useKeys({ count, active, setActive, shown, setOpen, clear, submit }: KeyProps) {
  const walk = (step: number) => {
    if (!shown) return setOpen(true);
    if (count === 0) return;
    setActive(active < 0 && step < 0 ? count - 1 : (active + step + count) % count);
  };
  return (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const acts: Record<string, () => void> = {
      ArrowDown: () => walk(1),
      ArrowUp: () => walk(-1),
      Enter: submit,
      Escape: () => (shown ? setOpen(false) : clear()),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
}
