import { Search } from "lucide-react";
import { useEffect, useRef, type ComponentProps, type ReactNode } from "react";
import styles from "./Combobox.module.css";

interface ComboboxProps {
  /** The options have the ids `${id}-0`, `${id}-1`, … */
  id: string;
  input: ComponentProps<"input">;
  listLabel: string;
  isOpen: boolean;
  /** -1 while no option is chosen. */
  active: number;
  /** Shown instead of options: searching, nothing found, an error. */
  note: ReactNode;
  /** Read out as it changes. */
  status: string;
  isBusy?: boolean;
  popupClass?: string | undefined;
  fieldEnd?: ReactNode;
  /** Above the options in the popup. */
  popupHead?: ReactNode;
  /** The options, or groups of them. */
  children: ReactNode;
}

/** A search field with a list of suggestions below it. The field has the keys and keeps the focus. */
export function Combobox(props: ComboboxProps) {
  const { id, input, listLabel, isOpen, active, note, status, isBusy, popupClass = "", fieldEnd, popupHead, children } = props;
  const { className = "", ...attributes } = input;
  return (
    <>
      <div className={styles.field}>
        <Search size={16} aria-hidden className={styles.icon} />
        <input
          type="text"
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="search"
          className={`${styles.input} ${className}`}
          {...attributes}
        />
        {fieldEnd}
      </div>
      <div hidden={!isOpen} className={`${styles.popup} ${popupClass}`}>
        {popupHead}
        <div id={`${id}-list`} role="listbox" aria-label={listLabel} aria-busy={isBusy || undefined}>{isOpen && children}</div>
        {note && <p className={styles.note}>{note}</p>}
      </div>
      <span className="visually-hidden" role="status">{isOpen ? status : ""}</span>
    </>
  );
}

interface OptionProps {
  id: string;
  isActive: boolean;
  onPick: () => void;
  className?: string | undefined;
  children: ReactNode;
}

export function ComboboxOption({ id, isActive, onPick, className = "", children }: OptionProps) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView?.({ block: "nearest" });
  }, [isActive]);
  return (
    // The field has the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      ref={row}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className={`${styles.option} ${className}`}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPick}
    >
      {children}
    </div>
  );
}
