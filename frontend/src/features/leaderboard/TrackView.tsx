import { Download } from "lucide-react";
import { useSearchParams } from "react-router";
import type { LeaderboardTrackDetail } from "@/api/contract";
import { Button } from "@/components/Button";
import { CopyLink } from "@/components/CopyLink";
import { ExternalLink } from "@/components/ExternalLink";
import { Notice } from "@/components/Notice";
import { keepTable } from "@/lib/downloads";
import { csvName, tableAsCsv } from "./csv";
import { ResultsTable } from "./ResultsTable";
import { Switch } from "./Switch";
import styles from "./LeaderboardPage.module.css";
import {
  canSwitchSlice,
  EVERY_SLICE,
  nextSort,
  readView,
  sliceAddress,
  sortAddress,
  sortRows,
  tableAddress,
  type View,
} from "./view";
import { printedName } from "./words";

export function TrackView({ track }: { track: LeaderboardTrackDetail }) {
  const [address, setAddress] = useSearchParams();
  const view = readView(address, track.tables);
  if (!view) return <Notice>No results are published for this track.</Notice>;
  const rows = sortRows(view.table.rows, view.sort);
  return (
    <>
      <header className={styles.header}>
        <div>
          <h1>
            {track.paper}, {track.title}
          </h1>
          <p className={styles.about}>{track.about}</p>
        </div>
        <div className={styles.actions}>
          <Button onPress={() => keepTable(tableAsCsv(view, rows), csvName(track.track, view))}>
            <Download size={16} aria-hidden /> Download CSV
          </Button>
          <CopyLink />
        </div>
      </header>
      <Switches view={view} tables={track.tables} />
      <div className={styles.title}>
        <h2>{view.table.title}</h2>
        <Source view={view} />
      </div>
      <ResultsTable
        view={view}
        rows={rows}
        onSort={(column) =>
          setAddress(sortAddress(view, nextSort(view.sort, column)), {
            replace: true,
            preventScrollReset: true,
          })
        }
      />
      <Reading view={view} />
    </>
  );
}

function Switches({ view, tables }: { view: View; tables: LeaderboardTrackDetail["tables"] }) {
  const bySlice = [{ key: EVERY_SLICE, label: "All columns" }, ...view.table.slices];
  return (
    <div className={styles.switches}>
      {tables.length > 1 && (
        <Switch
          label="Table"
          current={view.table.id}
          options={tables.map((table) => ({ key: table.id, label: table.name, to: tableAddress(table) }))}
        />
      )}
      {canSwitchSlice(view.table) && (
        <Switch
          label="Columns"
          current={view.slice}
          options={bySlice.map(({ key, label }) => ({ key, label, to: sliceAddress(view, key) }))}
        />
      )}
    </div>
  );
}

function Source({ view: { table } }: { view: View }) {
  return (
    <p className={styles.source}>
      {table.paper}, {printedName(table)}. <ExternalLink href={table.source_url}>{table.source}</ExternalLink>
    </p>
  );
}

/** How to read the table: the marks, what is odd about it, and what each column measures. */
function Reading({ view: { table } }: { view: View }) {
  const isMarked = table.rows.some((row) => row.cells.some(({ place }) => place));
  return (
    <div className={styles.reading}>
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
          {table.metrics.map(({ metric, label, about, section }) => (
            <div key={metric}>
              <dt>{label}</dt>
              <dd>
                {about} <span className={styles.section}>({section})</span>
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}
