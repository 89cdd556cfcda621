import { ProgressBar } from "@/components/ProgressBar";
import { formatBytes } from "@/lib/format";
import { PROGRESS_BYTES } from "./mutations";
import styles from "./Submissions.module.css";

/** How much of a large file was sent; `then` states what the server does with it afterwards. */
export function UploadProgress({ file, sent, then }: { file: File; sent: number; then: string }) {
  if (file.size < PROGRESS_BYTES || sent >= 1) return <p role="status">{then}</p>;
  return (
    <div className={styles.upload}>
      <p role="status">Sending the file. Stay on this page until it is sent.</p>
      <ProgressBar label="Sent" value={Math.round(sent * file.size)} total={file.size} />
      <p className="number">{formatBytes(sent * file.size)} of {formatBytes(file.size)}</p>
    </div>
  );
}
