import { useState } from "react";
import { Button } from "@/components/Button";
import { Form } from "@/components/Form";
import { TextField } from "@/components/TextField";
import { parseCutoff } from "@/domains/graphs/useGraphParams";
import { formatPlural } from "@/lib/format";
import { useUrlParams } from "@/lib/useUrlParams";
import type { GraphDetail } from "./api";
import styles from "./Cutoff.module.css";
import { YearSlider } from "./YearSlider";

const LABELS = { year: "As of year", pmid: "As of PubMed number" };
const HINTS = { year: "For example 2010", pmid: "For example 20000000" };

/** The graph as it was known at a date; only where its edges have one. */
export function CutoffControl({ graph }: { graph: Pick<GraphDetail, "date_unit" | "date_range"> }) {
  const [params] = useUrlParams();
  const until = parseCutoff(params.get("until"));
  if (!graph.date_unit && until === null) return null;
  const [first, last] = graph.date_range ?? [];
  // Years can be slid through; a PMID is one of millions.
  if (graph.date_unit === "year" && first !== undefined && last !== undefined) return <YearSlider first={first} last={last} until={until} />;
  return <CutoffForm key={until} unit={graph.date_unit ?? "year"} until={until} hasDates={graph.date_unit !== null} />;
}

interface Props {
  unit: "year" | "pmid";
  until: number | null;
  hasDates: boolean;
}

function CutoffForm({ unit, until, hasDates }: Props) {
  const [, change] = useUrlParams();
  const [text, setText] = useState(until === null ? "" : String(until));
  const [isRefused, setRefused] = useState(false);
  const apply = () => {
    const value = parseCutoff(text.trim());
    setRefused(value === null && text.trim() !== "");
    if (value !== null || text.trim() === "") change({ until: value === null ? null : String(value) });
  };
  return (
    <Form onSubmit={apply}>
      <div className={styles.cutoff}>
        <TextField
          label={LABELS[unit]}
          hint={HINTS[unit]}
          inputMode="numeric"
          value={text}
          onChange={setText}
          error={isRefused ? "Write a whole number of one to nine digits." : undefined}
        />
        <Button type="submit">Show</Button>
        {until !== null && <Button variant="quiet" onPress={() => change({ until: null })}>Show all dates</Button>}
      </div>
      {!hasDates && <p className={styles.note} role="status">The edges of this graph have no dates. Show all dates.</p>}
    </Form>
  );
}

/** How many edges a cut-off leaves out because nobody knows when they were first seen. */
export function UndatedNote({ undated, of }: { undated: number | null | undefined; of?: string | undefined }) {
  if (!undated) return null;
  return <p className={styles.note} role="status">{formatPlural(undated, "undated edge")}{of && ` of ${of}`} left out.</p>;
}
