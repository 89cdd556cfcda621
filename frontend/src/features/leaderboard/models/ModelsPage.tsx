import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { ButtonLink } from "@/components/Button";
import { DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { Page } from "@/components/Page";
import { Pager } from "@/components/Pager";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SearchField } from "@/components/SearchField";
import { SkeletonRows } from "@/components/SkeletonRows";
import { Tag } from "@/components/Tag";
import { formatParameters, scoreText } from "@/domains/evaluation/labels";
import { modelMatrixQuery, type ModelMatrix } from "@/domains/evaluation/queries";
import { formatPlural } from "@/lib/format";
import { useUrlParams } from "@/lib/useUrlParams";
import styles from "./Models.module.css";

const PAGE_ROWS = 200;
const INTRO = "The main figure of every model on every track. Figures that were evaluated here are bold; printed ones are from other data.";

/** Models by tracks. */
export function ModelsPage() {
  const [address, change] = useUrlParams();
  const text = address.get("text") ?? "";
  const offset = Math.max(0, Number.parseInt(address.get("from") ?? "", 10) || 0);
  const matrix = useQuery({ ...modelMatrixQuery(text, offset), placeholderData: (previous: ModelMatrix | undefined) => previous });
  return (
    <Page title="Models" parent={{ to: "/leaderboard", label: "Leaderboard" }} width="wide" intro={INTRO} actions={<ButtonLink to="/costs">Costs</ButtonLink>}>
      <div className={styles.search}><SearchField label="Find a model" text={text} onChange={(typed) => change({ text: typed, from: null })} /></div>
      <QueryBoundary query={matrix} skeleton={<SkeletonRows rows={8} />}>
        {(data) => data.matching === 0 ? <EmptyState>No model matches. Search for another name.</EmptyState> : (
          <>
            <p className={styles.quiet} role="status">{formatPlural(data.matching, "model")}</p>
            <Matrix matrix={data} />
            <Pager label="Pages of models" offset={data.offset} total={data.matching} size={PAGE_ROWS} onOffset={(to) => change({ from: to > 0 ? String(to) : null })} />
          </>
        )}
      </QueryBoundary>
    </Page>
  );
}

function Matrix({ matrix: { tracks, results } }: { matrix: ModelMatrix }) {
  const shown = tracks.filter(({ metric_label: evaluated, printed_label: printed }) => evaluated ?? printed);
  const columns = [
    "Model",
    { label: "Parameters", isNumeric: true },
    ...shown.map((track) => ({
      key: track.track,
      label: <TrackHead track={track} />,
      isNumeric: true,
    })),
  ];
  return (
    <DataTable label="Models by tracks" minWidth={(shown.length + 2) * 112} columns={columns}>
      {results.map((row) => (
        <tr key={row.slug}>
          <th scope="row">
            <Link to={`/models/${row.slug}`}>{row.name}</Link>{row.is_simulated && <> <Tag>simulated</Tag></>}
            <span className={styles.quiet}>{row.organisation}</span>
          </th>
          <td data-numeric className="number">{row.parameters === null ? <span className={styles.inline}>{isPrinted(row) ? "not public" : "not stated"}</span> : formatParameters(row.parameters)}</td>
          {shown.map((track) => (
            <td key={track.track} data-numeric className="number">
              <Cell cell={row.cells.find((one) => one.track === track.track)} unit={track.unit ?? ""} />
            </td>
          ))}
        </tr>
      ))}
    </DataTable>
  );
}

/** Of the models in print, what is not known is not public; of others, it was not declared. */
const isPrinted = ({ cells }: ModelMatrix["results"][number]) => cells.some(({ printed }) => printed !== null);

function TrackHead({ track: { track, title, paper, metric_label: evaluated, printed_label: printed } }: { track: ModelMatrix["tracks"][number] }) {
  return (
    <>
      <span className={styles.quiet}>{paper}</span>
      <Link to={`/leaderboard/${track}`}>{title}</Link>
      <span className={styles.quiet}>{evaluated ?? printed}</span>
    </>
  );
}

function Cell({ cell, unit }: { cell: ModelMatrix["results"][number]["cells"][number] | undefined; unit: string }) {
  if (!cell) return <span className="visually-hidden">no result</span>;
  return (
    <span className={styles.cell}>
      {cell.evaluated !== null && (
        <span>
          <Link to={`/results/${cell.submission}`}><b>{scoreText(cell.evaluated, { unit })}</b></Link>
          <span className="visually-hidden"> evaluated here</span>
          {cell.earlier_release && <span className={styles.quiet}>on {cell.earlier_release}</span>}
        </span>
      )}
      {cell.printed !== null && (
        <span className={styles.printed}>
          {cell.printed}{cell.sample && <> ({cell.sample})</>}<span className="visually-hidden"> as printed</span>
        </span>
      )}
    </span>
  );
}
