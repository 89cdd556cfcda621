import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { call } from "@/api/client";
import type { components } from "@/api/generated/schema";
import styles from "./GraphChoice.module.css";

type Graph = components["schemas"]["Graph"];

interface Props {
  /** 'slug@number', or empty for none. */
  value: string;
  onChange: (named: string) => void;
  error?: string | undefined;
  label?: string;
  hint?: string;
  /** What stands there while none is chosen. */
  none?: string;
}

const EVIDENCE = "Experts see beside each candidate what this graph says of it. A graph of yours is shared with them.";

/** A version of a graph, or none: by itself the one whose evidence the experts of a study are shown. */
export function GraphChoice({ value, onChange, error, label = "Graph for evidence", hint: wish = EVIDENCE, none = "No graph" }: Props) {
  const id = useId();
  const query = useQuery({
    queryKey: ["graphs"],
    queryFn: async ({ signal }) => (await call<{ results: Graph[] }>("/api/v1/graphs", { signal })).results,
  });
  const unread = wish === EVIDENCE ? " The study can do without, and a graph can be chosen later." : " Load the page again.";
  const hint = query.isError ? `The graphs could not be read.${unread}` : wish;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value)} aria-describedby={`${id}-hint`} aria-invalid={Boolean(error)}>
        <option value="">{none}</option>
        {query.data?.map(({ slug, name, versions }) =>
          versions.map(({ number }) => (
            <option key={`${slug}@${number}`} value={`${slug}@${number}`}>
              {name}, version {number}
            </option>
          )),
        )}
      </select>
      <p id={`${id}-hint`} className={error ? styles.error : styles.hint}>
        {error ?? hint}
      </p>
    </div>
  );
}
