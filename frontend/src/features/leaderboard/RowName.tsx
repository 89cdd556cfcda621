import { Link } from "react-router";
import type { LeaderboardRow } from "@/api/contract";
import styles from "./ResultsTable.module.css";

/** The model of a printed row; below, what sets the row apart and how the paper spells the name. */
export function RowName({ row, showsSetting }: { row: LeaderboardRow; showsSetting: boolean }) {
  const { model_slug: slug, model_name: name, model_label: printed, setting_label: setting, sample } = row;
  const notes = [
    showsSetting && setting,
    name && name !== printed && `printed as ${printed}`,
    sample && `over a sample of ${sample}, not ranked`,
  ].filter(Boolean);
  return (
    <>
      {slug ? <Link to={`/models/${slug}`}>{name}</Link> : printed}
      {notes.length > 0 && <span className={styles.setting}>{notes.join(", ")}</span>}
    </>
  );
}
