import { useQuery } from "@tanstack/react-query";
import { DataTable } from "@/components/DataTable";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { itemsLabel, metricInSentence, scoreText } from "@/domains/evaluation/labels";
import { boardQuery, judgedQuery, type Release } from "@/domains/evaluation/queries";
import { formatCount, formatPercent, formatPlural } from "@/lib/format";
import { contentsQuery, type SplitContents } from "./queries";
import styles from "./Releases.module.css";

/** Items by split and slice, and the differences that they tell apart. */
export function ResolutionSection({ release: { slug } }: { release: Release }) {
  const contents = useQuery(contentsQuery(slug));
  return (
    <section className={styles.section} aria-labelledby="slices-heading">
      <h2 id="slices-heading">Items by slice</h2>
      <QueryBoundary query={contents} skeleton={<SkeletonRows rows={4} />}>
        {(splits) => (
          <>
            <SliceTable splits={splits} />
            <LeftOut splits={splits} />
            <Floor slug={slug} splits={splits} />
            <Judged slug={slug} split={splits.some(({ split }) => split === "test") ? "test" : "dev"} />
          </>
        )}
      </QueryBoundary>
    </section>
  );
}

function SliceTable({ splits }: { splits: SplitContents[] }) {
  // An object lists years before other names, so the slice of all items is put first.
  const overall = splits[0]?.overall;
  const names = [...new Set(splits.flatMap((one) => [one.overall, ...Object.keys(one.slices)]))];
  return (
    <DataTable label="Number of items by slice" minWidth={320} columns={["Slice", ...splits.map(({ split }) => ({ label: `In ${split}`, isNumeric: true }))]}>
      {names.map((name) => (
        <tr key={name}>
          <th scope="row">{itemsLabel(name, overall)}</th>
          {splits.map(({ split, slices }) => <td key={split} data-numeric className="number">{formatCount(slices[name] ?? 0)}</td>)}
        </tr>
      ))}
    </DataTable>
  );
}

/** Items of the table above that no score counts. */
function LeftOut({ splits }: { splits: SplitContents[] }) {
  const counts = splits.filter(({ left_out }) => left_out > 0).map(({ split, left_out }) => formatPlural(left_out, `${split} item`));
  if (counts.length === 0) return null;
  return (
    <p className={styles.quiet}>
      Counted in no metric: {counts.join(" and ")}, of questions that the masked graph leaves out.
    </p>
  );
}

/** From the entries that exist; before there are any, of the worst case. */
function Floor({ slug, splits }: { slug: string; splits: SplitContents[] }) {
  const board = useQuery(boardQuery(slug, "")).data;
  const test = splits.find(({ split }) => split === "test");
  const metric = board?.metrics.find(({ id }) => id === test?.main_metric);
  if (!board || !test || !metric) return null;
  const { audit } = board;
  const measured = audit?.resolution_floor;
  const separated = audit?.separated_share ?? null;
  const floor = measured ?? test.resolution_floor;
  if (floor === null) return null;
  return (
    <p className={styles.quiet}>
      The {formatCount(test.items - test.left_out)} test items tell apart differences of {scoreText(floor, metric)} or more in {metricInSentence(metric)}
      {measured === null || measured === undefined ? ", at worst: there are no two entries yet to measure it." : "."}
      {separated !== null && ` Of ${formatPlural(audit?.neighbours ?? 0, "pair")} of neighbours on the board, ${formatPercent(separated)} are separated.`}
    </p>
  );
}

/** How much of what entries rank high has a label; the rest counts as false. */
function Judged({ slug, split }: { slug: string; split: string }) {
  const board = useQuery(judgedQuery(slug, split)).data;
  const shares = (board?.entries ?? []).flatMap(({ judged }) => (judged === null ? [] : [judged]));
  if (!board || board.depth === null || shares.length === 0) return null;
  const [low, high] = [Math.min(...shares), Math.max(...shares)].map(formatPercent);
  return (
    <p className={styles.quiet}>
      Judged@{board.depth} of the {board.split} entries: {low === high ? low : `${low} to ${high}`}. Answers without a label count as false.
    </p>
  );
}
