import { Columns3, Download, Filter } from "lucide-react";
import { Button } from "@/components/Button";
import { Menu, MenuItem, MenuSection } from "@/components/Menu";
import { SearchField } from "@/components/SearchField";
import { SelectField } from "@/components/SelectField";
import { itemsLabel, PROVENANCE_LABELS } from "@/domains/evaluation/labels";
import type { Board } from "@/domains/evaluation/queries";
import type { UrlChanges } from "@/lib/useUrlParams";
import { entriesQuery, sortChanges, type BoardView } from "./boardView";
import { shownMetric, type BoardColumn } from "./columns";
import styles from "./Evaluated.module.css";

interface Props {
  board: Board;
  view: BoardView;
  columns: BoardColumn[];
  shown: BoardColumn[];
  onChange: (changes: UrlChanges) => void;
}

/** Which items, entries and columns are shown. */
export function BoardControls({ board, view, columns, shown, onChange }: Props) {
  const slices = board.slices.map((slice) => ({ value: slice, label: itemsLabel(slice, board.overall) }));
  return (
    <div className={styles.controls}>
      {slices.length > 1 && (
        <SelectField
          label="Items"
          value={view.slice ?? board.default_slice}
          options={slices}
          onChange={(slice) => onChange({ part: slice === board.default_slice ? null : slice })}
        />
      )}
      {board.metrics.length > 1 && !view.columns && (
        <SelectField
          label="Measure"
          value={shownMetric(board, view)}
          options={board.metrics.map(({ id, label }) => ({ value: id, label }))}
          onChange={(metric) => onChange({ show: metric === board.main_metric ? null : metric, ...(isMetric(board, view.sort?.column) && sortChanges(null)) })}
        />
      )}
      <SearchField label="Find a model" text={view.text} onChange={(text) => onChange({ text, from: null })} />
      <div className={styles.menus}>
        <FilterMenu view={view} onChange={onChange} />
        <ColumnMenu columns={columns} shown={shown} isChosen={view.columns !== null} onChange={onChange} />
        <ExportMenu board={board} view={view} />
      </div>
    </div>
  );
}

/** Rows in the order of a measure that is no longer shown would have no visible order. */
const isMetric = ({ metrics }: Board, column: string | undefined) => metrics.some(({ id }) => id === column);

const HIDDEN_LABELS = { simulated: "Simulated entries", sampled: "Declared samples" };

function FilterMenu({ view, onChange }: Pick<Props, "view" | "onChange">) {
  const count = view.provenances.length + view.hidden.length;
  return (
    <Menu label="Filter" trigger={<Button><Filter size={16} aria-hidden /> Filter{count > 0 && <span className="number"> {count}</span>}</Button>}>
      <MenuSection
        title="Source"
        selectionMode="multiple"
        selectedKeys={view.provenances}
        onSelectionChange={(keys) => onChange({ source: keys === "all" ? [] : [...keys].map(String), from: null })}
      >
        {Object.entries(PROVENANCE_LABELS).map(([id, label]) => <MenuItem key={id} id={id} label={label} shouldCloseOnSelect={false} />)}
      </MenuSection>
      <MenuSection
        title="Hide"
        selectionMode="multiple"
        selectedKeys={view.hidden}
        onSelectionChange={(keys) => onChange({ hide: keys === "all" ? [] : [...keys].map(String), from: null })}
      >
        {Object.entries(HIDDEN_LABELS).map(([id, label]) => <MenuItem key={id} id={id} label={label} shouldCloseOnSelect={false} />)}
      </MenuSection>
    </Menu>
  );
}

function ColumnMenu({ columns, shown, isChosen, onChange }: Pick<Props, "columns" | "shown" | "onChange"> & { isChosen: boolean }) {
  return (
    <Menu label="Columns" trigger={<Button><Columns3 size={16} aria-hidden /> Columns</Button>}>
      <MenuSection
        title="Columns shown"
        selectionMode="multiple"
        disallowEmptySelection
        selectedKeys={shown.map(({ id }) => id)}
        onSelectionChange={(keys) =>
          onChange({ columns: columns.map(({ id }) => id).filter((id) => keys === "all" || keys.has(id)).join(",") })
        }
      >
        {columns.map(({ id, label }) => <MenuItem key={id} id={id} label={label} shouldCloseOnSelect={false} />)}
      </MenuSection>
      {isChosen && <MenuItem id="default" label="One measure, as at first" onAction={() => onChange({ columns: null })} />}
    </Menu>
  );
}

/** Files with every entry that the filter leaves, not only those of this page. */
function ExportMenu({ board, view }: Pick<Props, "board" | "view">) {
  const url = (form: string) => `/api/v1/boards/${board.release}/entries.${form}?${entriesQuery(view)}`;
  return (
    <Menu label="Export" trigger={<Button><Download size={16} aria-hidden /> Export</Button>}>
      <MenuItem label="CSV" href={url("csv")} download hint="Scores with intervals, ranks and versions." />
      <MenuItem label="JSON" href={url("json")} download hint="The same over every slice." />
    </Menu>
  );
}
