import { useEffect, useRef } from "react";
import { ButtonLink } from "@/components/Button";
import { DataTable } from "@/components/DataTable";
import { ErrorTable, errorRows } from "@/components/FaultTable";
import { Notice } from "@/components/Notice";
import { formatCount, formatListTitle, formatPlural } from "@/lib/format";
import type { GraphImport, GraphImportReport } from "./api";
import styles from "./GraphImport.module.css";
import { droppedRowsLabel, droppedTotal, outcomeText } from "./labels";

/** What became of an import: what is in it, what was dropped and why, the first rows as understood. */
export function GraphImportResult({ of, isFollowed }: { of: GraphImport; isFollowed: boolean }) {
  const { report, error, state, graph, dry_run: isDryRun } = of;
  const isGood = state === "done";
  const tone = state === "cancelled" ? "plain" : isGood ? "good" : "bad";
  const { code = "", errors = [] } = error ?? {};
  const faults = report.faults ?? [];
  // Too many dropped rows are why it was refused: they are listed once.
  const own = code === "USER_TOO_MANY_DROPPED" && faults.length > 0 ? [] : errors;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The progress, which had the focus, is gone.
    if (isFollowed && document.activeElement === document.body) heading.current?.focus();
  }, [isFollowed]);
  return (
    <section className={styles.section} aria-labelledby="result">
      <h2 id="result" ref={heading} tabIndex={-1}>{isGood ? (isDryRun ? `${of.name}, tried` : `${of.name} is imported`) : `${of.name} was not imported`}</h2>
      <Notice tone={tone}><p>{outcomeText(of)}</p></Notice>
      {isGood && graph && !isDryRun && (
        <div><ButtonLink to={`/explore/${encodeURIComponent(graph)}`} variant="primary" size="large">Explore it</ButtonLink></div>
      )}
      {own.length > 0 && <ErrorTable title="Why it was refused" rows={errorRows(own)} level={3} />}
      <ImportSummary report={report} />
      {faults.length > 0 && (
        <ErrorTable
          title={formatListTitle("Dropped rows", faults.length, droppedRowsLabel(report.dropped))}
          rows={faults.map(({ file, line, message, detail }) => ({ location: `${file}, line ${formatCount(line)}`, message, detail }))}
          detailTitle="Detail"
          level={3}
        />
      )}
      {report.first && <FirstRows first={report.first} />}
    </section>
  );
}

function ImportSummary({ report }: { report: GraphImportReport }) {
  const { format, files = {}, ignored = [], rows, dropped, repeated = 0, conflicts = {}, folded = 0 } = report;
  const differing = Object.values(conflicts).reduce((sum, one) => sum + one, 0);
  return (
    <dl className={styles.facts}>
      {format && <><dt>Format</dt><dd>{format}</dd></>}
      {Object.keys(files).length > 0 && (
        <><dt>Files</dt><dd>{Object.entries(files).map(([name, role]) => `${name} (${role.replaceAll("_", " ")})`).join(", ")}</dd></>
      )}
      {ignored.length > 0 && <><dt>Ignored</dt><dd>{ignored.join(", ")}</dd></>}
      {rows && <><dt>Rows</dt><dd>{formatCount(rows.entities)} of entities, {formatCount(rows.edges)} of edges</dd></>}
      {dropped && <><dt>Dropped</dt><dd>{droppedTotal(dropped)}</dd></>}
      {repeated > 0 && <><dt>Repeated</dt><dd>{formatPlural(repeated, "row")} of an entity that had one already</dd></>}
      {differing > 0 && <><dt>Different</dt><dd>{formatPlural(differing, "value")} of one entity differed between its rows: the smallest stays</dd></>}
      {folded > 0 && <><dt>Folded</dt><dd>{formatPlural(folded, "edge")} equal in every column became one</dd></>}
    </dl>
  );
}

function FirstRows({ first: { entities, edges } }: { first: NonNullable<GraphImportReport["first"]> }) {
  return (
    <>
      <PreviewTable
        title="First entities as imported"
        columns={["Entity", "Name", "Type", "Also called", "Other identifiers"]}
        rows={entities.map(({ id, name, type, synonyms, xrefs }) => [id, name, type, synonyms.join(", "), xrefs.join(", ")])}
      />
      <PreviewTable
        title="First edges as imported"
        columns={["From", "Relation", "To", "Stated by", "Publications"]}
        rows={edges.map(({ source, phrase, relation, target, evidence, level, score, publications }) => {
          const statedBy = [evidence, level, score].filter((part) => part !== null && part !== "").join(", ");
          return [source, phrase || relation, target, statedBy, publications.join(", ")];
        })}
      />
    </>
  );
}

function PreviewTable({ title, columns, rows }: { title: string; columns: string[]; rows: string[][] }) {
  if (rows.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <DataTable label={title} columns={columns} minWidth={560} folds>
        {rows.map(([id, ...cells], at) => (
          <tr key={at}>
            <th scope="row" className={styles.cell}>{id}</th>
            {cells.map((cell, column) => <td key={column} className={styles.cell}>{cell}</td>)}
          </tr>
        ))}
      </DataTable>
    </>
  );
}
