import { Link } from "react-router";
import { CopyText } from "@/components/CopyText";
import type { TrackPage } from "./queries";
import styles from "./TrackFormat.module.css";

/** 'query_id (or id)'. */
const columnText = ({ name, aliases }: TrackPage["predictions"]["columns"][number]) => (aliases.length > 0 ? `${name} (or ${aliases.join(", ")})` : name);

interface Props {
  track: TrackPage;
  file: "predictions" | "release_source";
  /** To the page of the track. */
  hasLink?: boolean;
}

/** The columns that a file of a track needs, with the track's example. */
export function TrackFormat({ track, file, hasLink = true }: Props) {
  const { columns, example } = track[file];
  return (
    <div className={styles.format}>
      {columns.length > 0 && <p>A file has the columns or fields {columns.map(columnText).join(", ")}.</p>}
      {example && <CopyText label={`Example of a file of ${track.title}`} text={example.trimEnd()} keepsLines />}
      {hasLink && <p><Link className="lone-link" to={`/tracks/${track.slug}`}>All about the files and metrics of {track.title}</Link></p>}
    </div>
  );
}
