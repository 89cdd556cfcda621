import { useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { Checkbox } from "react-aria-components";
import { Link } from "react-router";
import { Tag } from "@/components/Tag";
import { canOpen } from "@/domains/accounts/permissions";
import { sizeLabel } from "@/domains/endpoints/labels";
import { entryName, PROVENANCE_LABELS } from "@/domains/evaluation/labels";
import { submissionsQuery, type BoardRow } from "@/domains/evaluation/queries";
import { useCurrentUser } from "@/lib/currentUser";
import styles from "./Evaluated.module.css";

/** The entry, linked to its permanent address. Of an anonymous one, its submitter alone reads their own name. */
export function EntryName({ row }: { row: BoardRow }) {
  const me = useCurrentUser();
  const mayBeOwn = row.model === null && me !== null && me !== undefined && canOpen(me, "researcher");
  const own = useQuery({ ...submissionsQuery, enabled: mayBeOwn }).data?.find(({ id }) => id === row.submission);
  return (
    <>
      <Link to={`/results/${row.submission}`}>{entryName(row)}</Link>
      {own && ` (yours: ${own.model.name})`}
      {row.is_simulated && <> <Tag>simulated</Tag></>}
      {row.provenance !== "evaluated" && <> <Tag>{PROVENANCE_LABELS[row.provenance] ?? row.provenance}</Tag></>}
      {row.run_parameters && <span className={styles.quiet}> by a {sizeLabel(row.run_parameters)}</span>}
      {row.sample && <span className={styles.quiet}> sample: {row.sample}</span>}
    </>
  );
}

/** For a comparison; none where entries are not compared, as those of a past standing. */
export type ChooseEntry = ((submission: string) => void) | null;

interface Props {
  row: BoardRow;
  isChosen: boolean;
  onChoose: ChooseEntry;
  children?: string;
}

export function CompareCheckbox({ row, isChosen, onChoose, children }: Props) {
  if (onChoose === null) return null;
  return (
    <Checkbox
      className={styles.compare ?? ""}
      aria-label={`Compare ${entryName(row)}`}
      isSelected={isChosen}
      onChange={() => onChoose(row.submission)}
    >
      <span aria-hidden className={styles.box}><Check size={14} strokeWidth={3} /></span>
      {children}
    </Checkbox>
  );
}
