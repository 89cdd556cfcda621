import { Link } from "react-router";
import type { LeaderboardTrack } from "@/api/contract";
import { Tag } from "@/components/Tag";
import { rankText, scoreText } from "@/domains/evaluation/labels";
import { formatCount, formatLongDate } from "@/lib/format";
import { ScoreScale } from "../ScoreScale";
import styles from "./Overview.module.css";

type BestEntries = NonNullable<LeaderboardTrack["evaluated"]>;
type Entry = BestEntries["best"][number];

const TITLES = { evaluated: "Evaluated here", printed: "As printed" };
const EMPTY = { evaluated: "Not evaluated here yet.", printed: "No paper prints figures of this track." };

interface Props {
  track: LeaderboardTrack;
  source: "evaluated" | "printed";
}

/** The best three of one source, with the measure, n and date that they share. */
export function BestList({ track, source }: Props) {
  const board = track[source];
  if (!board?.best.length) return <p className={styles.quiet}>{EMPTY[source]}</p>;
  const title = `${track.paper}, ${track.title}: ${TITLES[source].toLowerCase()}`;
  return (
    <div className={styles.board}>
      <h3>{TITLES[source]}</h3>
      <p className={styles.quiet}>{facts(board, source, track.paper)}</p>
      <ol aria-label={title} className={styles.list} data-source={source}>
        {board.best.map((entry) => <EntryRow key={entry.submission ?? `${entry.name} ${entry.note}`} entry={entry} board={board} />)}
      </ol>
      {board.reference && <ReferenceNote board={board} reference={board.reference} />}
    </div>
  );
}

function facts({ metric_label: metric, part, scale, items, date, entries, simulated }: BestEntries, source: Props["source"], paper: string): string {
  const n = items === null ? "n not printed" : `n = ${formatCount(items)}`;
  const counted = source === "printed" ? `${formatCount(entries)} printed rows` : `${formatCount(entries)} entries${simulated ? `, ${formatCount(simulated)} of them simulated` : ""}`;
  const when = source === "printed" ? `${paper} paper, ${date}` : formatLongDate(date);
  return [`${metric}, ${scale}`, part, n, counted, when].filter(Boolean).join(" · ");
}

function EntryRow({ entry, board }: { entry: Entry; board: BestEntries }) {
  const { name, slug, submission, note, text, value, low, high, interval } = entry;
  const to = submission ? `/results/${submission}` : slug && `/models/${slug}`;
  const shown = name ?? "Anonymous entry";
  return (
    <li>
      <span className={`${styles.rank} number`}>{rankText({ best: entry.rank_best, worst: entry.rank_worst })}</span>{" "}
      <span className={styles.name}>
        {to ? <Link to={to}>{shown}</Link> : shown}
        {entry.is_simulated && <> <Tag>simulated</Tag></>}
        {note && <span className={styles.note}> {note}</span>}
      </span>
      <ScoreScale value={value} low={low} high={high} scale={[0, board.high]} reference={board.reference?.value ?? null} />
      {" "}
      <span className={styles.value}>
        <b className="number">{text}</b>
        {interval && <span className={`${styles.interval} number`}> {interval}</span>}
      </span>
    </li>
  );
}

function ReferenceNote({ board, reference: { name, value } }: { board: BestEntries; reference: { name: string; value: number } }) {
  return <p className={styles.reference}><span aria-hidden /> {name === "chance" ? "Chance" : name}: <span className="number">{scoreText(value, board)}</span></p>;
}
