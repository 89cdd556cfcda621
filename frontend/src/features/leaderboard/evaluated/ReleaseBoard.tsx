import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { Button } from "@/components/Button";
import { ConnectionStatus } from "@/components/ConnectionStatus";
import { CopyText } from "@/components/CopyText";
import { EmptyState } from "@/components/EmptyState";
import { Notice } from "@/components/Notice";
import { Pager } from "@/components/Pager";
import { PhoneFold } from "@/components/PhoneFold";
import { PartBoundary, QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { boardGroundednessQuery } from "@/domains/evaluation/groundedness";
import { CorrectionNotice } from "@/domains/evaluation/CorrectionNotice";
import { IntervalNotes } from "@/domains/evaluation/IntervalNotes";
import { hasEnded, metricInSentence, rankText } from "@/domains/evaluation/labels";
import { boardPointsQuery, judgedQuery, type Board, type Release } from "@/domains/evaluation/queries";
import { formatCount, formatFullDate } from "@/lib/format";
import { PHONE_QUERY, useMediaQuery } from "@/lib/useMediaQuery";
import { useUrlParams, type UrlUpdate } from "@/lib/useUrlParams";
import { BoardCharts } from "../charts/BoardCharts";
import { BoardCorrelations } from "../charts/SliceCorrelations";
import { AuditPanel } from "./AuditPanel";
import { BestOfNSection } from "./BestOfNSection";
import { BoardCards, OrderField } from "./BoardCards";
import { BoardControls } from "./BoardControls";
import { BoardTable } from "./BoardTable";
import { compareChanges, filterQuery, nextBoardSort, PAGE_ROWS, sortChanges, type BoardView } from "./boardView";
import { boardColumns, shownColumns } from "./columns";
import { ComparisonView } from "./ComparisonView";
import styles from "./Evaluated.module.css";
import { GroundednessSection } from "./GroundednessSection";
import { StrategiesSection } from "./StrategiesSection";
import type { BoardState } from "./useBoard";

/** The board of one split of a release, with its state in the address. */
export function ReleaseBoard({ release, state }: { release: Release; state: BoardState }) {
  const [, change] = useUrlParams();
  const { board, view, isFixed, connection } = state;
  return (
    <QueryBoundary query={board} skeleton={<BoardSkeleton />}>
      {(data) => (
        <>
          <CorrectionNotice release={release} />
          {view.at && <EarlierStanding at={data.created_at ?? view.at} onLeave={() => change({ at: null, from: null })} />}
          <Entries board={data} view={view} onChange={change}>
            {!isFixed && !hasEnded(release) && <ConnectionStatus connection={connection} isFailing={board.isError} readAt={board.dataUpdatedAt} />}
          </Entries>
        </>
      )}
    </QueryBoundary>
  );
}

/** As high as the window, so that the end of the page does not move in sight when the board comes. */
const BoardSkeleton = () => <div className={styles.loading} aria-busy="true"><SkeletonRows rows={12} /></div>;

interface Props {
  board: Board;
  view: BoardView;
  onChange: (update: UrlUpdate) => void;
}

function EarlierStanding({ at, onLeave }: { at: string; onLeave: () => void }) {
  return (
    <Notice>
      <p>This is the standing of {formatFullDate(at)}. Later entries are not in it.</p>
      <div><Button onPress={onLeave}>Show the present standing</Button></div>
    </Notice>
  );
}

/** Which standing it is, with the address under which it stays. */
function Standing({ board, children }: { board: Board; children: ReactNode }) {
  if (!board.created_at) return null;
  const permalink = `?${new URLSearchParams({ release: board.release, split: board.split, at: board.created_at })}`;
  return (
    <div className={styles.standing}>
      {children}
      <span>standing of {formatFullDate(board.created_at)}, evaluator version {board.evaluator_version}</span>
      <Link to={permalink}>Permanent link to this standing</Link>
      <Link to={`/releases/${board.release}`}>Data card</Link>
      <Link to={`/releases/${board.release}/changes`}>Rank changes</Link>
    </div>
  );
}

function Entries({ board, view, onChange, children }: Props & { children: ReactNode }) {
  const isPhone = useMediaQuery(PHONE_QUERY);
  // Of the present standing: an earlier one had other entries, and other labels.
  const judged = useQuery({ ...judgedQuery(board.release, board.split), enabled: !view.at });
  const groundedness = useQuery({ ...boardGroundednessQuery(board.release, board.split), enabled: !view.at });
  const filter = String(filterQuery(view));
  const hasCosts = board.results.some(({ cost_usd: cost }) => cost !== null);
  const front = useQuery({ ...boardPointsQuery(board.release, "cost", filter), enabled: hasCosts }).data?.front;
  // Their columns would move the rows in sight.
  if (isFirstRead(judged) || isFirstRead(groundedness)) return <BoardSkeleton />;
  const columns = boardColumns(board, view, { ...(!view.at && { judged: judged.data, groundedness: groundedness.data }), front });
  const shown = shownColumns(board, columns, view, isPhone);
  const sort = (column: string) => onChange(sortChanges(column ? nextBoardSort(board, view.sort, column) : null));
  const Layout = isPhone ? BoardCards : BoardTable;
  const standing = !view.at && <Standing board={board}>{children}</Standing>;
  if (board.entries === 0) return <>{standing}<EmptyState>Nobody has submitted predictions for this release yet.</EmptyState></>;
  const controls = <BoardControls board={board} view={view} columns={columns} shown={shown} onChange={onChange} />;
  const sentence = <p className={styles.quiet}>{orderSentence(board, view)}</p>;
  return (
    <>
      {isPhone ? (
        // The first models stand on the first screen.
        <PhoneFold summary="Items, order, filter and export" isOpen={isChanged(view)}>
          <div className={styles.release}>
            {controls}
            <OrderField view={view} columns={shown} onSort={sort} />
            {standing}
            {sentence}
          </div>
        </PhoneFold>
      ) : <>{standing}{controls}{sentence}</>}
      {!view.at && <PartBoundary query={groundedness} part="Groundedness" />}
      {!view.at && <PartBoundary query={judged} part="How much of each entry is judged" />}
      {board.matching === 0
        ? <EmptyState>No entry matches. Change the filter or what you search for.</EmptyState>
        : (
          <Layout
            board={board}
            view={view}
            columns={shown}
            onSort={sort}
            onChoose={view.at ? null : (id) => onChange((address) => compareChanges(address.getAll("compare"), id))}
          />
        )}
      <IntervalNotes rows={board.results} keys={shown.map(({ id }) => `${id} ${view.slice ?? board.default_slice}`)} />
      <Pager label="Pages of entries" offset={board.offset} total={board.matching} size={PAGE_ROWS} onOffset={(to) => onChange({ from: to > 0 ? String(to) : null })} />
      <ComparisonView board={board} view={view} onChange={onChange} />
      <AuditPanel board={board} />
      {!view.at && groundedness.data && <GroundednessSection groundedness={groundedness.data} />}
      {!view.at && <StrategiesSection board={board} />}
      {!view.at && <BestOfNSection release={board.release} split={board.split} />}
      <PhoneFold summary="Charts of these entries"><BoardCharts board={board} filter={filter} /></PhoneFold>
      {board.slices.length > 2 && <BoardCorrelations board={board} at={view.at} />}
      <EmbedCode release={board.release} name={board.name} />
    </>
  );
}

/** Until the first answer or failure; a later try delays nothing. */
const isFirstRead = ({ isLoading, failureCount }: UseQueryResult) => isLoading && failureCount === 0;

/** Whether the rows are others than those that the page has at first. */
const isChanged = ({ slice, text, sort, provenances, hidden }: BoardView) =>
  Boolean(slice ?? sort) || [text, provenances, hidden].some(({ length }) => length > 0);

/** Ranks stay those of the main metric over all items, whatever the order of the rows. */
function orderSentence(board: Board, { sort, slice: chosen }: BoardView): string {
  const { metrics, main_metric: main, matching, entries } = board;
  const slice = (chosen ?? board.default_slice) !== board.overall;
  const shown = metrics.find(({ id }) => id === main);
  const metric = shown ? metricInSentence(shown) : main;
  const count = matching < entries ? `${formatCount(matching)} of ${formatCount(entries)} entries. ` : "";
  const reordered = sort || slice ? ", whatever the order and items shown" : "";
  const doubt = board.audit?.rank_reason === "few_clusters" ? " Ranks are approximate: few independent groups of items." : "";
  return `${count}Ranks are by ${metric} over all items${reordered}.${rangeSentence(board)}${doubt}`;
}

/** What the first range of ranks in sight means. */
function rangeSentence({ results }: Board): string {
  const range = results.map(({ rank }) => rank).find((rank) => rank && rank.best !== rank.worst);
  return range ? ` Rank ${rankText(range)}: the true rank may be any of these, at 95% over the whole board.` : "";
}

/** Code that shows this board in another page. */
function EmbedCode({ release, name }: { release: string; name: string }) {
  const address = `${window.location.origin}/embed/board/${release}`;
  return (
    <details className={styles.embed}>
      <summary>Embed this board in another page</summary>
      <CopyText label="HTML of the frame" text={`<iframe src="${address}" title="${name.replaceAll(/["&<>]/g, "")}" width="100%" height="480"></iframe>`} />
    </details>
  );
}
