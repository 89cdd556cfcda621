import { useEffect, useId, useState } from "react";
import { Button } from "@/components/Button";
import { useDebounced } from "@/lib/useDebounced";
import { useUrlParams } from "@/lib/useUrlParams";
import styles from "./Cutoff.module.css";

const SETTLE_MS = 250;

interface Props {
  first: number;
  last: number;
  /** Null shows all years, those of undated edges too. */
  until: number | null;
}

/** The graph as it was known at the end of a year; the address has the year once the slider rests. */
export function YearSlider({ first, last, until }: Props) {
  const id = useId();
  const [, change] = useUrlParams();
  const [year, setYear] = useState(until);
  const settled = useDebounced(year, SETTLE_MS);
  useEffect(() => {
    if (settled !== null && settled !== until && settled === year) change({ until: String(settled) });
  }, [settled, until, year, change]);
  const shown = Math.min(Math.max(year ?? last, first), last);
  return (
    <div className={styles.cutoff}>
      <div className={styles.slider}>
        <label htmlFor={id}>As of year</label>
        <span className="number" aria-hidden>{year ?? "all years"}</span>
        <input
          id={id}
          type="range"
          min={first}
          max={last}
          value={shown}
          aria-valuetext={year === null ? "all years" : String(year)}
          onChange={({ target }) => setYear(Number(target.value))}
        />
      </div>
      <span className={styles.note}>{first} to {last}</span>
      {until !== null && <Button variant="quiet" onPress={() => { setYear(null); change({ until: null }); }}>Show all dates</Button>}
    </div>
  );
}
