import { useState } from "react";
import { Button } from "@/components/Button";
import { DataTable } from "@/components/DataTable";
import { count } from "@/lib/format";
import type { Paths } from "./api";
import styles from "./Paths.module.css";

const FIRST_KINDS = 6;

/** One answer: what was found on the way to it. */
export interface Column {
  id: string;
  name: string;
  fromName: string;
  paths: Paths | undefined;
  error: Error | null;
}

interface Props {
  columns: Column[];
  answer: string | null;
  metapath: string | null;
  onOpen: (answer: string, metapath: string | null) => void;
}

/** Every kind of path that some answer has, the commonest first. */
export function kindsOf(columns: Column[]): { key: string; words: string; total: number }[] {
  const kinds = new Map<string, { key: string; words: string; total: number }>();
  for (const { key, words, count: found } of columns.flatMap(({ paths }) => paths?.metapaths ?? [])) {
    const kind = kinds.get(key) ?? { key, words, total: 0 };
    kinds.set(key, { ...kind, total: kind.total + found });
  }
  return [...kinds.values()].toSorted((a, b) => b.total - a.total || a.words.localeCompare(b.words));
}

/** Answers as columns, kinds of paths as rows; a number opens its paths. */
export function PathMatrix({ columns, answer, metapath, onOpen }: Props) {
  const all = kindsOf(columns);
  const [isWhole, setWhole] = useState(false);
  if (all.length === 0) return null;
  const kinds = isWhole ? all : all.filter(({ key }, at) => at < FIRST_KINDS || key === metapath);
  return (
    <div className={styles.matrix}>
      <DataTable label="Paths by kind and answer">
        <thead>
          <tr>
            <th scope="col">Kind of path</th>
            {columns.map(({ id, name }) => <th key={id} scope="col" data-numeric><bdi className={styles.answer}>{name}</bdi></th>)}
          </tr>
        </thead>
        <tbody>
          {kinds.map((kind) => (
            <tr key={kind.key}>
              <th scope="row" className={styles.kind}>{kind.words}</th>
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
        </tbody>
      </DataTable>
      {all.length > FIRST_KINDS && (
        <div>
          <Button look="quiet" onPress={() => setWhole(!isWhole)} aria-expanded={isWhole}>
            {isWhole ? "Show the commonest kinds" : `Show all ${all.length} kinds`}
          </Button>
        </div>
      )}
    </div>
  );
}

interface CellProps {
  column: Column;
  kind: { key: string; words: string };
  isOpen: boolean;
  onOpen: () => void;
}

function Cell({ column, kind, isOpen, onOpen }: CellProps) {
  const row = column.paths?.metapaths.find(({ key }) => key === kind.key);
  const found = row?.count ?? 0;
  if (!column.paths) return <span className={styles.quiet}>{column.error ? "not read" : "searching"}</span>;
  if (found === 0) {
    return <span className={styles.quiet}>{row?.hidden ? `${count(row.hidden)} hidden` : "none"}</span>;
  }
  return (
    <button
      type="button"
      className={styles.cell}
      aria-pressed={isOpen}
      aria-label={`${count(found)} to ${column.name}: ${kind.words}`}
      onClick={onOpen}
    >
      {count(found)}
    </button>
  );
}
