import { Problem } from "@/api/client";
import { Failure } from "@/components/Loadable";
import styles from "./QuestionPage.module.css";

interface Props {
  error: unknown;
  onRetry: () => void;
  busy: boolean;
}

/** What went wrong; where somebody must have something computed first, with which command. */
export function NotShown({ error, onRetry, busy }: Props) {
  const command = error instanceof Problem && typeof error.body.command === "string" ? error.body.command : null;
  return (
    <>
      <Failure error={error} onRetry={onRetry} busy={busy} />
      {command && (
        <p className={styles.quiet}>
          Whoever runs this Serendib computes it once with <code>{command}</code>; coordinators may ask for it as a computation.
        </p>
      )}
    </>
  );
}
