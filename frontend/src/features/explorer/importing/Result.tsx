import { useEffect, useRef } from "react";
import { ButtonLink } from "@/components/Button";
import { DataTable } from "@/components/DataTable";
import { FaultTable, rowsOf } from "@/components/FaultTable";
import { Notice } from "@/components/Notice";
import { count, plural } from "@/lib/format";
import type { FirstEdge, FirstEntity, Importing, Report } from "./api";
import styles from "./Importing.module.css";
import { droppedCount, droppedTotal, firstOf, outcome } from "./words";

/** What became of an import: what is in it, what was dropped and why, the first rows as understood. */
export function Result({ of, isFollowed }: { of: Importing; isFollowed: boolean }) {
  const { report, state, graph, dry_run: isDryRun } = of;
  const isGood = state === "done";
  const tone = state === "cancelled" ? "plain" : isGood ? "good" : "bad";
  const { code = "", errors = [] } = report.error ?? {};
  const faults = report.faults ?? [];
  // Too many dropped rows are why it was refused: they are listed once.
  const own = code === "too_many_dropped" && faults.length > 0 ? [] : errors;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The progress that she followed is no longer there to hold the focus.
    if (isFollowed && document.activeElement === document.body) heading.current?.focus();
  }, [isFollowed]);
  return (
    <section className={styles.section} aria-labelledby="result">
      <h2 id="result" ref={heading} tabIndex={-1}>{isGood ? (isDryRun ? `${of.name}, tried` : `${of.name} is imported`) : `${of.name} was not imported`}</h2>
      <Notice tone={tone}><p>{outcome(of)}</p></Notice>
      {isGood && graph && !isDryRun && (
        <div><ButtonLink to={`/explore/${encodeURIComponent(graph)}`} look="primary" size="large">Explore it</ButtonLink></div>
      )}
      {own.length > 0 && (
        <FaultTable title="Why it was refused" rows={rowsOf(own)} level={3} />
      )}
      <Account report={report} />
      {faults.length > 0 && (
        <FaultTable
          title={firstOf(faults.length, droppedCount(report.dropped))}
          rows={faults.map(({ file, line, message, detail }) => ({ where: `${file}, line ${count(line)}`, what: message, more: detail }))}
          more="Detail"
          level={3}
        />
      )}
      {report.first && <First first={report.first} />}
    </section>
  );
}

function Account({ report }: { report: Report }) {
  const { format, files = {}, ignored = [], rows, dropped, repeated = 0, conflicts = {}, folded = 0 } = report;
  const differing = Object.values(conflicts).reduce((sum, one) => sum + one, 0);
  return (
    <dl className={styles.facts}>
      {format && (<><dt>Format</dt><dd>{format}</dd></>)}
      {Object.keys(files).length > 0 && (
        <><dt>Files</dt><dd>{Object.entries(files).map(([name, role]) => `${name} (${role.replaceAll("_", " ")})`).join(", ")}</dd></>
      )}
      {ignored.length > 0 && (<><dt>Left alone</dt><dd>{ignored.join(", ")}</dd></>)}
      {rows && (<><dt>Rows</dt><dd>{count(rows.entities)} of entities, {count(rows.edges)} of edges</dd></>)}
      {dropped && (<><dt>Dropped</dt><dd>{droppedTotal(dropped)}</dd></>)}
      {repeated > 0 && (<><dt>Repeated</dt><dd>{plural(repeated, "row")} of an entity that had one already</dd></>)}
      {differing > 0 && (<><dt>Different</dt><dd>{plural(differing, "value")} of one entity differed between its rows: the smallest stays</dd></>)}
      {folded > 0 && (<><dt>Folded</dt><dd>{plural(folded, "edge")} equal in every column became one</dd></>)}
    </dl>
  );
}

function First({ first }: { first: { entities: FirstEntity[]; edges: FirstEdge[] } }) {
  return (
    <>
      {first.entities.length > 0 && <h3>The first entities, as understood</h3>}
      {first.entities.length > 0 && (
        <DataTable label="The first entities, as understood" minWidth={560}>
          <thead>
            <tr>{["Entity", "Name", "Type", "Also called", "Other identifiers"].map((head) => <th key={head} scope="col">{head}</th>)}</tr>
          </thead>
          <tbody>
            {first.entities.map((row, at) => (
              <tr key={at}>
                <th scope="row" className={styles.cell}>{row.id}</th>
                <td className={styles.cell}>{row.name}</td>
                <td className={styles.cell}>{row.type}</td>
                <td className={styles.cell}>{row.synonyms.join(", ")}</td>
                <td className={styles.cell}>{row.xrefs.join(", ")}</td>
              </tr>
            ))}
          </tbody>
        </DataTable>
      )}
      {first.edges.length > 0 && <h3>The first edges, as understood</h3>}
      {first.edges.length > 0 && (
        <DataTable label="The first edges, as understood" minWidth={560}>
          <thead>
            <tr>{["From", "Relation", "To", "Stated by", "Publications"].map((head) => <th key={head} scope="col">{head}</th>)}</tr>
          </thead>
          <tbody>
            {first.edges.map((row, at) => (
              <tr key={at}>
                <th scope="row" className={styles.cell}>{row.source}</th>
                <td className={styles.cell}>{row.phrase || row.relation}</td>
                <td className={styles.cell}>{row.target}</td>
                <td className={styles.cell}>{[row.evidence, row.level, row.score].filter((it) => it !== null && it !== "").join(", ")}</td>
                <td className={styles.cell}>{row.publications.join(", ")}</td>
              </tr>
            ))}
          </tbody>
        </DataTable>
      )}
    </>
  );
}
