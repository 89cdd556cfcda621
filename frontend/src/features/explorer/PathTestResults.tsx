import { Link } from "react-router";
import { DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { pathsUrl } from "@/domains/graphs/graphUrls";
import { useGraphParams } from "@/domains/graphs/useGraphParams";
import { formatCoefficient, formatCount, formatPlural } from "@/lib/format";
import type { MetapathTest, TestedMetapath } from "./api";
import styles from "./Paths.module.css";
import { kindLabel } from "./pathWords";

/** The share of tried exchanges below which the permuted graphs are nearly the graph itself. */
const FEW_EXCHANGES = 0.01;
const SIGNIFICANT = 0.05;
const COLUMNS = [
  "Kind of path",
  ...["Paths", "Weighted count", "Expected", "z", "p", "p, adjusted"].map((label) => ({ label, isNumeric: true })),
];

interface Props {
  test: MetapathTest;
  result: NonNullable<MetapathTest["result"]>;
}

/** Each kind of path beside what graphs with the same degrees have, the smallest p first. */
export function PathTestResults({ test: { source, target, draws, seed, hops }, result }: Props) {
  const rows = result.metapaths.toSorted((one, other) => one.p_value - other.p_value || (other.z_score ?? 0) - (one.z_score ?? 0));
  return (
    <section aria-labelledby="path-test" className={styles.open}>
      <h2 id="path-test"><span><bdi>{source.name}</bdi> to <bdi>{target.name}</bdi></span></h2>
      {rows.length === 0 ? <EmptyState>No path of at most {formatPlural(hops, "hop")} joins the two. Allow longer paths.</EmptyState> : (
        <>
          <p>{verdict(rows, result.family, draws)}</p>
          <DataTable label="Kinds of path beside permuted graphs" columns={COLUMNS} folds>
            {rows.map((row) => <ResultRow key={row.metapath} row={row} ends={[source.id, target.id]} hops={hops} />)}
          </DataTable>
          {!result.is_complete && <p>The search for paths stopped at its limit, so there may be more of them.</p>}
          {result.other_paths > 0 && <p>{formatPlural(result.other_paths, "path")} of rarer kinds {result.other_paths === 1 ? "was" : "were"} not tested.</p>}
        </>
      )}
      <p className={styles.quiet}>
        {formatCount(draws)} permuted graphs, seed {seed}. Edges of one relation and the same types exchanged their targets, so every entity has as many
        links of each relation. The weighted count adds up the paths, each by the degrees on its way. Expected is its mean over the permuted graphs, with
        the standard deviation. p is (1 + permuted graphs with at least this count) ÷ (1 + {formatCount(draws)}), so at least {pLabel(1 / (1 + draws))}.
        {result.family !== null && ` It is adjusted by Holm for the ${formatPlural(result.family, "kind")} that could join the two types, not only for those with a path.`}
      </p>
    </section>
  );
}

/** The sentence above the table; with few permuted graphs, no adjusted p can be small. */
function verdict(rows: TestedMetapath[], family: number | null, draws: number): string {
  if (family === null) return "One kind was chosen, so its p is not adjusted. It holds if the kind was chosen before its paths were seen.";
  const least = family / (1 + draws);
  if (least >= SIGNIFICANT) return `Too few permuted graphs for ${formatPlural(family, "possible kind")} of path: no adjusted p is below ${pLabel(Math.min(1, least))}. p and z stand below.`;
  const above = rows.filter((row) => row.p_adjusted !== null && row.p_adjusted < SIGNIFICANT).length;
  return `${formatCount(above)} of ${formatPlural(rows.length, "kind")} of path ${above === 1 ? "is" : "are"} more frequent than degrees explain (adjusted p below ${SIGNIFICANT}).`;
}

function ResultRow({ row, ends: [from, to], hops }: { row: TestedMetapath; ends: [string, string]; hops: number }) {
  const where = useGraphParams();
  const { metapath, phrase, paths, observed, mean, deviation, z_score: z, p_value: p, p_adjusted: adjusted, exchanged } = row;
  return (
    <tr>
      <th scope="row" className={styles.kind}>
        <Link to={pathsUrl(where, from, [to], { kind: metapath, hops: String(hops) })}>{kindLabel(metapath)}</Link>
        <span className={styles.quiet}> {phrase}</span>
        {exchanged < FEW_EXCHANGES && <span className={styles.quiet}> Hardly any edge could be exchanged, so p is no evidence.</span>}
      </th>
      <td data-numeric>{formatCount(paths)}</td>
      <td data-numeric>{weightLabel(observed)}</td>
      <td data-numeric>{weightLabel(mean)}{deviation !== null && ` ± ${weightLabel(deviation)}`}</td>
      <td data-numeric>{z === null ? "none" : formatCoefficient(z)}</td>
      <td data-numeric>{pLabel(p)}</td>
      <td data-numeric>{adjusted === null ? "none" : pLabel(adjusted)}</td>
    </tr>
  );
}

/** Three digits that count; sums over few paths are far below 1. */
const weightLabel = (value: number): string => (value === 0 ? "0" : value.toPrecision(3));

const pLabel = (p: number): string => p.toFixed(4);
