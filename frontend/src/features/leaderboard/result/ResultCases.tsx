import { DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SearchField } from "@/components/SearchField";
import { SelectField } from "@/components/SelectField";
import { ShowMore } from "@/components/ShowMore";
import { SkeletonRows } from "@/components/SkeletonRows";
import { Tag } from "@/components/Tag";
import { useCases, type CasePage, type JudgedCase } from "@/domains/evaluation/cases";
import type { BoardMetric, Result } from "@/domains/evaluation/queries";
import { formatCount } from "@/lib/format";
import { useUrlParams, type UrlChanges } from "@/lib/useUrlParams";
import styles from "./Result.module.css";

const MEANINGS: Record<string, string> = {
  right: "A given name is that of a true answer.",
  plausible: "It matches by another name or by meaning alone.",
  wrong: "Nothing given matches, or nothing was given.",
};

/** Each item of a dev split with what was answered; the filters are in the address. */
export function ResultCases({ result }: { result: Result }) {
  const [params, change] = useUrlParams();
  const read = (name: string) => params.get(name) ?? "";
  const filter = { outcome: read("outcome"), group: read("group"), text: read("text") };
  const cases = useCases(result.submission, filter);
  return (
    <section className={styles.section} aria-labelledby="cases-heading">
      <h2 id="cases-heading">Cases</h2>
      <QueryBoundary query={cases} skeleton={<SkeletonRows rows={5} />}>
        {({ pages }) => pages[0] && (
          <>
            <CaseControls page={pages[0]} filter={filter} onChange={change} />
            <p role="status">{pages[0].count === 1 ? "1 case" : `${formatCount(pages[0].count)} cases`}</p>
            <CaseTable cases={pages.flatMap((page) => page.results)} />
            <ShowMore list={cases} label="Show more cases" />
            <Sweep rows={pages[0].sweep} metrics={result.metrics} />
          </>
        )}
      </QueryBoundary>
    </section>
  );
}

interface ControlProps {
  page: CasePage;
  filter: { outcome: string; group: string; text: string };
  onChange: (changes: UrlChanges) => void;
}

function CaseControls({ page, filter, onChange }: ControlProps) {
  const countOf = (counts: Record<string, number>, name: string) => `${name} (${formatCount(counts[name] ?? 0)})`;
  const outcomes = page.outcome_names.map((name) => ({ value: name, label: countOf(page.outcomes, name) }));
  // A group of the address stays selectable where no case of it has the outcome.
  const names = [...new Set([...Object.keys(page.groups), ...(filter.group ? [filter.group] : [])])];
  return (
    <div className={styles.controls}>
      <SelectField
        label="Outcome"
        value={filter.outcome}
        options={[{ value: "", label: "all" }, ...outcomes]}
        onChange={(outcome) => onChange({ outcome })}
        hint={MEANINGS[filter.outcome]}
      />
      <SelectField
        label="Relation type"
        value={filter.group}
        options={[{ value: "", label: "all" }, ...names.map((name) => ({ value: name, label: countOf(page.groups, name) }))]}
        onChange={(group) => onChange({ group })}
        translate="no"
      />
      <SearchField label="Find in questions" text={filter.text} onChange={(text) => onChange({ text })} />
    </div>
  );
}

function CaseTable({ cases }: { cases: JudgedCase[] }) {
  if (cases.length === 0) return <EmptyState>No case matches these filters. Choose others.</EmptyState>;
  return (
    <DataTable label="Cases" folds minWidth={760} columns={["Question", "Outcome", "Prediction", "Gold answers"]}>
      {cases.map((one) => (
        <tr key={one.position}>
          <th scope="row" className={styles.question}>{one.question}</th>
          <td><Tag>{one.outcome}</Tag></td>
          <td><Names names={one.prediction} count={one.prediction_count} /></td>
          <td><Names names={one.gold} count={one.gold_count} /></td>
        </tr>
      ))}
    </DataTable>
  );
}

const NAMES_SHOWN = 5;

function Names({ names, count }: { names: string[]; count: number }) {
  if (names.length === 0) return <span className={styles.none}>none</span>;
  const first = names.slice(0, NAMES_SHOWN).join("; ");
  if (count <= NAMES_SHOWN) return <span translate="no">{first}</span>;
  return (
    <details>
      <summary><span translate="no">{first}</span> and {formatCount(count - NAMES_SHOWN)} more</summary>
      <span translate="no">{names.slice(NAMES_SHOWN).join("; ")}</span>
      {count > names.length && <> and {formatCount(count - names.length)} not listed</>}
    </details>
  );
}

/** What the metrics of the cosine would be at other thresholds. */
function Sweep({ rows, metrics }: { rows: CasePage["sweep"]; metrics: BoardMetric[] }) {
  const columns = metrics.filter(({ id }) => id in (rows[0]?.values ?? {}));
  if (columns.length === 0) return null;
  return (
    <>
      <h3>By threshold of the cosine</h3>
      <DataTable
        label="Metrics by threshold of the cosine"
        minWidth={480}
        columns={["Greater than", ...columns.map(({ label }) => ({ label, isNumeric: true }))]}
      >
        {rows.map(({ threshold, values }) => (
          <tr key={threshold}>
            <th scope="row" className="number">{threshold.toFixed(1)}</th>
            {columns.map(({ id }) => <td key={id} data-numeric className="number">{(values[id] ?? 0).toFixed(1)}</td>)}
          </tr>
        ))}
      </DataTable>
    </>
  );
}
