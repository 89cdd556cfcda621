import type { ExpertBatch } from "@/api/contract";
import { hasEnded } from "@/domains/studies/batches";
import { formatList, formatLongDate } from "@/lib/format";
import styles from "./StudyAbout.module.css";

/** Who runs the study, until when, and whom to write to; what the coordinators left open is not shown. */
export function StudyAbout({ study }: { study: ExpertBatch["study"] }) {
  const { coordinators, closes_on: closesOn, contact, description, status } = study;
  const isPast = hasEnded(status);
  return (
    <>
      {description && <p className={styles.description}>{description}</p>}
      <dl className={styles.about}>
        {coordinators.length > 0 && <div><dt>Coordinated by</dt><dd>{formatList(coordinators)}</dd></div>}
        {closesOn && !isPast && <div><dt>Open until</dt><dd><time dateTime={closesOn}>{formatLongDate(closesOn)}</time></dd></div>}
        {contact && <div><dt>Write to</dt><dd><a href={`mailto:${contact}`}>{contact}</a></dd></div>}
      </dl>
    </>
  );
}
