import { useQuery } from "@tanstack/react-query";
import type { Id, StudyRelease } from "@/api/contract";
import { Notice } from "@/components/Notice";
import { formatLongDate } from "@/lib/format";
import { readQuery } from "@/lib/readQuery";
import styles from "./Life.module.css";

/** What a paper cites. */
export function ReleaseNotice({ study }: { study: Id }) {
  const { data } = useQuery(readQuery<StudyRelease>(["studies", study, "release"], `/api/v1/studies/${study}/release`));
  if (!data) return null;
  return (
    <Notice>
      <p>Frozen as release <strong translate="no">{data.slug}</strong> on {formatLongDate(data.created_at)}. Nothing of it changes again.</p>
      <p className={styles.checksum} translate="no">SHA-256 {data.checksum}</p>
      <p><a href={`/api/v1/studies/${study}/methods.md`} download>Download the methods section</a></p>
    </Notice>
  );
}
