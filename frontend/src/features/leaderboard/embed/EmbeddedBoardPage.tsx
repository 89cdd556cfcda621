import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { DataTable } from "@/components/DataTable";
import { ExternalLink } from "@/components/ExternalLink";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { IntervalNotes } from "@/domains/evaluation/IntervalNotes";
import { coverageNote, entryName, PROVENANCE_LABELS, rankText, scoreNote, scoreText } from "@/domains/evaluation/labels";
import { boardQuery, type Board } from "@/domains/evaluation/queries";
import { formatLongDate } from "@/lib/format";
import styles from "./EmbeddedBoard.module.css";

/** A board inside somebody else's page: nothing to press but links that open outside the frame. */
export function EmbeddedBoardPage() {
  const { slug = "" } = useParams();
  const board = useQuery(boardQuery(slug, ""));
  return (
    <main id="main" className={styles.page}>
      <QueryBoundary query={board} skeleton={<SkeletonRows rows={4} />}>
        {(data) => <EmbeddedBoard board={data} />}
      </QueryBoundary>
    </main>
  );
}

function EmbeddedBoard({ board }: { board: Board }) {
  const metric = board.metrics.find(({ id }) => id === board.main_metric);
  const main = `${board.main_metric} ${board.overall}`;
  const address = (path: string) => `${window.location.origin}${path}`;
  return (
    <>
      <title>{`${board.name} · Serendib`}</title>
      <h1>{board.name}</h1>
      <DataTable
        label={`${board.name}, evaluated here`}
        columns={["Model", { label: "Rank", isNumeric: true }, { label: metric?.label ?? board.main_metric, isNumeric: true }, "Source"]}
      >
        {board.results.map((row) => {
          const score = row.scores[main] ?? [];
          return (
            <tr key={row.submission}>
              <th scope="row"><ExternalLink href={address(`/results/${row.submission}`)}>{entryName(row)}</ExternalLink></th>
              <td data-numeric className="number">{rankText(row.rank)}</td>
              <td data-numeric className="number">
                {metric && `${scoreText(score[0] ?? 0, metric)} (${[scoreNote(row, main, metric), coverageNote(row, main)].filter(Boolean).join(", ")})`}
              </td>
              <td>{PROVENANCE_LABELS[row.provenance] ?? row.provenance}{row.is_simulated && ", simulated"}</td>
            </tr>
          );
        })}
      </DataTable>
      <IntervalNotes rows={board.results} keys={[main]} />
      <p>
        {board.created_at && `Standing of ${formatLongDate(board.created_at)}. `}
        <ExternalLink href={address(`/leaderboard/${board.track}?release=${board.release}`)}>The whole board at Serendib</ExternalLink>
      </p>
    </>
  );
}
