import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { DataTable } from "@/components/DataTable";
import { Pager } from "@/components/Pager";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SegmentedControl } from "@/components/SegmentedControl";
import { SkeletonRows } from "@/components/SkeletonRows";
import { releaseUrl, type Release } from "@/domains/evaluation/queries";
import { formatCount } from "@/lib/format";
import { itemPageQuery, type ItemPage, type Split } from "./queries";
import styles from "./Releases.module.css";

const PAGE_ITEMS = 25;
const SPLITS: { value: Split; label: string }[] = [{ value: "test", label: "Test" }, { value: "dev", label: "Dev" }];

/** The public items, as predictions answer them. */
export function ItemSection({ release }: { release: Release }) {
  const known = SPLITS.filter(({ value }) => (release.items[value] ?? 0) > 0);
  const [split, setSplit] = useState<Split>(known[0]?.value ?? "test");
  const [offset, setOffset] = useState(0);
  const page = useQuery(itemPageQuery(release.slug, split, offset));
  const choose = (chosen: Split) => {
    setSplit(chosen);
    setOffset(0);
  };
  return (
    <section className={styles.section} aria-labelledby="items-heading">
      <h2 id="items-heading">Public items</h2>
      <div className={styles.tools}>
        {known.length > 1 && <SegmentedControl label="Split" options={known} value={split} onChange={choose} />}
        <a href={`${releaseUrl(release.slug)}/items?split=${split}`} download>
          <Download size={14} aria-hidden /> Download the {split} items as JSON Lines
        </a>
      </div>
      <QueryBoundary query={page} skeleton={<SkeletonRows rows={6} />}>
        {(data) => (
          <>
            <ItemTable page={data} />
            <Pager label="Pages of items" offset={data.offset} total={data.total} size={PAGE_ITEMS} onOffset={setOffset} />
          </>
        )}
      </QueryBoundary>
    </section>
  );
}

function ItemTable({ page: { split, offset, results } }: { page: ItemPage }) {
  const fields = [...new Set(results.flatMap((item) => Object.keys(item)))];
  return (
    <DataTable label={`Public ${split} items`} folds minWidth={140 * fields.length} columns={["No.", ...fields]}>
      {results.map((item, at) => (
        <tr key={offset + at}>
          <th scope="row" className="number">{formatCount(offset + at + 1)}</th>
          {fields.map((field) => <ItemCell key={field} text={valueText(item[field])} />)}
        </tr>
      ))}
    </DataTable>
  );
}

const LONG = 30; // characters

function ItemCell({ text }: { text: string }) {
  return <td className={text.length > LONG ? `${styles.cell} ${styles.long}` : styles.cell} translate="no">{text}</td>;
}

function valueText(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(valueText).join(", ");
  return value === undefined || value === null ? "" : JSON.stringify(value);
}
