import { useEffect, useId, useState, type FocusEvent, type RefObject } from "react";
import { useNavigate } from "react-router";
import { Combobox, ComboboxOption } from "@/components/Combobox";
import { Kbd } from "@/components/Kbd";
import { useListboxKeys } from "@/lib/useListboxKeys";
import styles from "./SearchBox.module.css";
import { countSentence, type SearchGroup } from "./siteSearch";
import { ALL_GRAPHS, useSiteSearch } from "./useSiteSearch";

interface Props {
  inputRef: RefObject<HTMLInputElement | null>;
  /** The list is always shown below the field, instead of over the page while the field has the focus. */
  isScreen?: boolean;
  /** After a result was opened. */
  onLeave?: () => void;
}

/** The search of every page: entities, questions, releases and models, and what was opened last. */
export function SearchBox({ inputRef, isScreen = false, onLeave }: Props) {
  const id = useId();
  const navigate = useNavigate();
  const [isExpanded, setOpen] = useState(false);
  const [activeUrl, setActiveUrl] = useState<string | null>(null);
  const isOpen = isScreen || isExpanded;
  useEffect(() => {
    if (isScreen) inputRef.current?.focus();
  }, [isScreen, inputRef]);
  const search = useSiteSearch(isOpen);
  const options = search.groups.flatMap((group) => group.options);
  const active = isOpen ? options.findIndex(({ url }) => url === activeUrl) : -1;

  const go = (url: string) => {
    setOpen(false);
    setActiveUrl(null);
    search.setText("");
    search.clearChoice();
    inputRef.current?.blur(); // the next page takes the focus
    void navigate(url);
    onLeave?.();
  };
  const submit = () => {
    const chosen = options[active];
    if (chosen) return go(chosen.url);
    void search.resultsUrl().then((url) => url && go(url), () => undefined); // the list shows the error
  };
  const close = (open: boolean) => {
    if (!open && isScreen) onLeave?.();
    setOpen(open);
  };
  const keys = useListboxKeys({
    count: options.length,
    active,
    setActive: (at) => setActiveUrl(options[at]?.url ?? null),
    isOpen,
    setOpen: close,
    clear: () => search.setText(""),
    submit,
  });
  const closeOutside = (event: FocusEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false);
  };

  return (
    // The list closes when the focus leaves the field and its popup.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div role="search" aria-label="Whole site" className={isScreen ? styles.screen : styles.box} onBlur={closeOutside}>
      <Combobox
        id={id}
        listLabel="Search results"
        isOpen={isOpen}
        active={active}
        isBusy={search.isStale}
        note={search.note}
        status={search.isStale ? "" : (search.note ?? countSentence(search.groups))}
        popupClass={styles.popup}
        popupHead={<GraphChoice search={search} onChosen={() => inputRef.current?.focus()} />}
        fieldEnd={!isScreen && search.text === "" && <span className={styles.key}><Kbd>/</Kbd></span>}
        input={{
          ref: inputRef,
          className: styles.input,
          "aria-label": "Search Serendib",
          "aria-keyshortcuts": "/",
          placeholder: "Search",
          value: search.text,
          onFocus: () => setOpen(true),
          onChange: (event) => {
            search.setText(event.target.value);
            setOpen(true);
            setActiveUrl(null);
          },
          onKeyDown: keys,
        }}
      >
        <Groups id={id} groups={search.groups} active={active} onPick={go} />
      </Combobox>
    </div>
  );
}

function GraphChoice({ search, onChosen }: { search: ReturnType<typeof useSiteSearch>; onChosen: () => void }) {
  const { graphs, slug, choose } = search;
  if (graphs.length < 2) return null;
  return (
    <label className={styles.graph}>
      <span>Entities of</span>
      <select
        value={slug}
        onChange={(event) => {
          choose(event.target.value);
          onChosen();
        }}
      >
        <option value={ALL_GRAPHS}>all graphs</option>
        {graphs.map((graph) => <option key={graph.slug} value={graph.slug}>{graph.name}</option>)}
      </select>
    </label>
  );
}

interface GroupsProps {
  id: string;
  groups: SearchGroup[];
  active: number;
  onPick: (url: string) => void;
}

function Groups({ id, groups, active, onPick }: GroupsProps) {
  const firsts = groups.map((_, at) => groups.slice(0, at).reduce((sum, { options }) => sum + options.length, 0));
  return groups.map(({ title, options }, at) => (
    <div key={title} role="group" aria-labelledby={`${id}-group-${at}`} className={styles.group}>
      <p id={`${id}-group-${at}`} role="presentation" className={styles.groupTitle}>{title}</p>
      {options.map((option, place) => {
        const number = (firsts[at] ?? 0) + place;
        return (
          <ComboboxOption
            key={option.url}
            id={`${id}-${number}`}
            className={styles.option}
            isActive={number === active}
            onPick={() => onPick(option.url)}
          >
            <span className={styles.name}>{option.title}</span>
            <span className={styles.note}>{option.note}</span>
          </ComboboxOption>
        );
      })}
    </div>
  ));
}
