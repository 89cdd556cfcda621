import { useState } from "react";
import { Button } from "@/components/Button";
import { DataTable } from "@/components/DataTable";
import { formatCount } from "@/lib/format";
import type { Paths } from "./api";
import styles from "./Paths.module.css";
import { kindLabel } from "./pathWords";

const INITIAL_METAPATHS = 6;

/** One answer: what was found on the way to it. */
export interface PathColumn {
  id: string;
  name: string;
  fromName: string;
  paths: Paths | undefined;
  error: Error | null;
}

interface Props {
  columns: PathColumn[];
  answer: string | null;
  metapath: string | null;
  onOpen: (answer: string, metapath: string | null) => void;
}

interface MetapathRow {
  key: string;
  label: string;
  phrase: string;
  /** Whether another kind has the same label, so that the phrase is needed, too. */
  isAmbiguous: boolean;
  total: number;
}

/** Every kind of path that some answer has, the commonest first. */
export function metapathRows(columns: PathColumn[]): MetapathRow[] {
  const kinds = new Map<string, Omit<MetapathRow, "isAmbiguous">>();
  for (const { key, phrase, count } of columns.flatMap(({ paths }) => paths?.metapaths ?? [])) {
    const kind = kinds.get(key) ?? { key, label: kindLabel(key), phrase, total: 0 };
    kinds.set(key, { ...kind, total: kind.total + count });
  }
  const all = [...kinds.values()].toSorted((a, b) => b.total - a.total || a.phrase.localeCompare(b.phrase));
  return all.map((one) => ({ ...one, isAmbiguous: all.some(({ key, label }) => key !== one.key && label === one.label) }));
}

/** Answers as columns, kinds of paths as rows; a number opens its paths. */
export function PathMatrix({ columns, answer, metapath, onOpen }: Props) {
  const all = metapathRows(columns);
  const [isWhole, setWhole] = useState(false);
  if (all.length === 0) return null;
  const kinds = isWhole ? all : all.filter(({ key }, at) => at < INITIAL_METAPATHS || key === metapath);
  return (
    <div className={styles.matrix}>
      <DataTable
        label="Paths by kind and answer"
        columns={["Kind of path", ...columns.map(({ id, name }) => ({ label: <bdi className={styles.answer}>{name}</bdi>, key: id, isNumeric: true }))]}
      >
        {kinds.map((kind) => (
          <tr key={kind.key}>
            <th scope="row" className={styles.kind}>{kind.label}{kind.isAmbiguous && <span className={styles.quiet}>{kind.phrase}</span>}</th>
            {columns.map((column) => (
              <td key={column.id} data-numeric>
                <Cell
                  column={column}
                  kind={kind}
                  isOpen={answer === column.id && metapath === kind.key}
                  onOpen={() => onOpen(column.id, kind.key)}
                />
              </td>
            ))}
          </tr>
        ))}
      </DataTable>
      {all.length > INITIAL_METAPATHS && (
        <div>
          <Button variant="quiet" onPress={() => setWhole(!isWhole)} aria-expanded={isWhole}>
            {isWhole ? "Show the most common kinds" : `Show all ${all.length} kinds`}
          </Button>
        </div>
      )}
    </div>
  );
}

interface CellProps {
  column: PathColumn;
  kind: { key: string; phrase: string };
  isOpen: boolean;
  onOpen: () => void;
}

function Cell({ column, kind, isOpen, onOpen }: CellProps) {
  const row = column.paths?.metapaths.find(({ key }) => key === kind.key);
  const total = row?.count ?? 0;
  if (!column.paths) return <span className={styles.quiet}>{column.error ? "failed" : "searching"}</span>;
  if (total === 0) {
    return <span className={styles.quiet}>{row?.hidden ? `${formatCount(row.hidden)} hidden` : "none"}</span>;
  }
  return (
    <button
      type="button"
      className={styles.cell}
      aria-pressed={isOpen}
      aria-label={`${formatCount(total)} to ${column.name}: ${kind.phrase}`}
      onClick={onOpen}
    >
      {formatCount(total)}
    </button>
  );
}
