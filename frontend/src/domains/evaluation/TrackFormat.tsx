import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { CopyText } from "@/components/CopyText";
import { trackQuery, type TrackPage } from "./queries";
import styles from "./TrackFormat.module.css";

/** 'query_id (or id)'. */
const columnText = ({ name, aliases }: TrackPage["predictions"]["columns"][number]) => (aliases.length > 0 ? `${name} (or ${aliases.join(", ")})` : name);

interface Props {
  track: string;
  file: "predictions" | "release_source";
  /** To the page of the track. */
  hasLink?: boolean;
}

/** The columns that a file of a track needs, with the track's example. */
export function TrackFormat({ track, file, hasLink = true }: Props) {
  const page = useQuery(trackQuery(track)).data;
  if (!page) return null;
  const { columns, example } = page[file];
  return (
    <div className={styles.format}>
      {columns.length > 0 && <p>A file has the columns or fields {columns.map(columnText).join(", ")}.</p>}
      {example && <CopyText label={`Example of a file of ${page.title}`} text={example.trimEnd()} />}
      {hasLink && <p><Link className="lone-link" to={`/tracks/${track}`}>All about the files and metrics of {page.title}</Link></p>}
    </div>
  );
}
