import { Download } from "lucide-react";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import type { LeaderboardTrackDetail } from "@/api/contract";
import { Button } from "@/components/Button";
import { CopyLink } from "@/components/CopyLink";
import { ExternalLink } from "@/components/ExternalLink";
import { Notice } from "@/components/Notice";
import type { Release } from "@/domains/evaluation/queries";
import { saveCsv } from "@/lib/downloads";
import { EvaluatedSection } from "./evaluated/EvaluatedSection";
import { FigureSections } from "./figures/FigureSections";
import { PrintedCorrelations } from "./charts/SliceCorrelations";
import { FoldedTable, scaleSentence } from "./FoldedTable";
import { publishedTableName } from "./labels";
import styles from "./LeaderboardPage.module.css";
import { ResultsTable } from "./ResultsTable";
import { ViewSwitch } from "./Switch";
import { csvFileName, tableToCsv } from "./tableCsv";
import { pressColumn, readView, siblingColumn, sortRows, tableUrl, viewUrl, type View } from "./view";

interface Props {
  track: LeaderboardTrackDetail;
  /** Null while they cannot be read. */
  releases: Release[] | null;
}

export function TrackView({ track, releases }: Props) {
  const [address] = useSearchParams();
  const view = readView(address, track.tables);
  // What the page began with stays while others open, close and grow.
  const [first] = useState(releases?.[0]?.slug);
  const find = (name: string | null | undefined) => releases?.find(({ slug }) => slug === name);
  const release = find(address.get("release")) ?? find(first) ?? releases?.[0];
  const below = (
    <>
      {view ? <PrintedSection track={track} view={view} /> : <Notice>No results are published for this track.</Notice>}
      <FigureSections key={track.track} track={track} release={release?.slug} />
    </>
  );
  return (
    <>
      <header className={styles.header}>
        <div>
          <h1>{track.paper}, {track.title}</h1>
          <p className={styles.about}>{track.description}</p>
          <nav aria-label="On this page" className={styles.jumps}>
            <Link to={{ search: String(address), hash: "evaluated-heading" }}>Evaluated here</Link>
            {view && <Link to={{ search: String(address), hash: "printed-heading" }}>As printed</Link>}
          </nav>
        </div>
        <div className={styles.actions}>
          <Link to="/models">Every model across tracks</Link>
          <CopyLink />
        </div>
      </header>
      {releases
        ? <EvaluatedSection releases={releases} release={release}>{below}</EvaluatedSection>
        : <><Notice>Results evaluated here could not be read.</Notice>{below}</>}
    </>
  );
}

/** What the papers print: best first by the table's main column, one column at a time or all of them. */
function PrintedSection({ track, view }: { track: LeaderboardTrackDetail; view: View }) {
  const [, setAddress] = useSearchParams();
  const rows = sortRows(view);
  const sort = (column = view.column) => setAddress(viewUrl(view, pressColumn(view, column)), { replace: true, preventScrollReset: true });
  return (
    <section className={styles.printed} aria-labelledby="printed-heading">
      <div className={styles.header}>
        <h2 id="printed-heading">As printed</h2>
        <Button onPress={() => saveCsv(tableToCsv(view, rows), csvFileName(track.track, view))}>
          <Download size={16} aria-hidden /> Download CSV
        </Button>
      </div>
      <ViewControls view={view} tables={track.tables} />
      <div className={styles.title}>
        <h3>{view.table.title}</h3>
        <SourceNote view={view} />
      </div>
      {view.isWhole
        ? <ResultsTable view={view} rows={rows} onSort={sort} />
        : <FoldedTable view={view} rows={rows} onSort={() => sort()} />}
      <TableNotes view={view} />
      <PrintedCorrelations track={track.track} />
    </section>
  );
}

function ViewControls({ view, tables }: { view: View; tables: LeaderboardTrackDetail["tables"] }) {
  const { table, column, isWhole } = view;
  return (
    <div className={styles.switches}>
      {tables.length > 1 && (
        <ViewSwitch
          label="Table"
          current={table.id}
          options={tables.map((one) => ({ key: one.id, label: one.name, to: tableUrl(view, one) }))}
        />
      )}
      {!isWhole && table.metrics.length > 1 && (
        <ViewSwitch
          label="Measure"
          current={column.metric}
          options={table.metrics.map(({ metric, label }) => ({ key: metric, label, to: viewUrl(view, { column: siblingColumn(view, { metric }), order: "best" }) }))}
        />
      )}
      {!isWhole && table.slices.length > 1 && (
        <ViewSwitch
          label="Items"
          current={column.slice}
          options={table.slices.map(({ key, label }) => ({ key, label, to: viewUrl(view, { column: siblingColumn(view, { slice: key }) }) }))}
        />
      )}
      {table.columns.length > 1 && (
        <ViewSwitch
          label="Columns"
          current={isWhole ? "all" : "one"}
          options={[
            { key: "one", label: "One column", to: viewUrl(view, { isWhole: false }) },
            { key: "all", label: "All columns", to: viewUrl(view, { isWhole: true }) },
          ]}
        />
      )}
    </div>
  );
}

function SourceNote({ view }: { view: View }) {
  const { table } = view;
  return (
    <p className={styles.source}>
      {table.paper}, {publishedTableName(table)}: <ExternalLink href={table.source_url}>{table.source}</ExternalLink>
      {!view.isWhole && <span>{scaleSentence(view)}</span>}
    </p>
  );
}

/** How to read the table: the marks, what is odd about it, and what each column measures. */
function TableNotes({ view: { table, isWhole } }: { view: View }) {
  const isMarked = isWhole && table.rows.some((row) => row.cells.some(({ place }) => place));
  return (
    <div className={styles.reading}>
      <p>Every value is the paper's own, without an interval: the items are not published with it. Names are the models'; a name that the paper spells otherwise has a note.</p>
      {isMarked && (
        <p>
          <b>Bold</b> is best in its column, <u>underlined</u> is second. Values that print the same share the mark;
          where several are best, none is second.
        </p>
      )}
      {table.note && <p>{table.note}</p>}
      <details>
        <summary>What the columns mean</summary>
        <dl>
          {table.metrics.map(({ metric, label, description, section }) => (
            <div key={metric}>
              <dt>{label}</dt>
              <dd>{description} <span className={styles.section}>({section})</span></dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}
