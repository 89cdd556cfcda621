import { useEffect, useEffectEvent, useState } from "react";
import { useDebounced } from "@/lib/useDebounced";
import { TextField } from "./TextField";

const TYPING_MS = 300;
const LONGEST_TEXT = 120;

interface Props {
  label: string;
  text: string;
  /** Null once it is empty. */
  onChange: (text: string | null) => void;
}

/** A text to search for, reported once typing pauses. */
export function SearchField({ label, text, onChange }: Props) {
  const [typed, setTyped] = useState(text);
  const settled = useDebounced(typed, TYPING_MS);
  // Only what is typed changes the text; another change of the address does not come back here.
  const settle = useEffectEvent((value: string) => {
    if (value !== text) onChange(value || null);
  });
  useEffect(() => settle(settled), [settled]);
  return <TextField label={label} type="search" maxLength={LONGEST_TEXT} value={typed} onChange={setTyped} />;
}
