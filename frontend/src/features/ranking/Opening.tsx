import { Navigate } from "react-router";
import { Problem, Unreachable } from "@/api/client";
import { Button, ButtonLink } from "@/components/Button";
import { Notice } from "@/components/Notice";
import { Skeleton } from "@/components/Skeleton";
import { sentenceOf } from "@/lib/problems";
import styles from "./RankingPage.module.css";
import { Frame } from "./Frame";

/** The shape of a question, while its batch is read. */
export function Opening() {
  return (
    <Frame>
      <main id="main" className={styles.column} aria-busy="true">
        <h1 className="visually-hidden">Opening the batch</h1>
        <Skeleton height={24} width={180} />
        <Skeleton height={58} />
        <Skeleton height={32} width={240} />
        {[1, 2, 3, 4].map((card) => (
          <Skeleton key={card} height={64} />
        ))}
      </main>
    </Frame>
  );
}

function sentence(error: unknown): string {
  if (error instanceof Unreachable) {
    return "The server did not answer, and this batch is not kept on this device. Open it once with a connection; after that it opens without one.";
  }
  if (error instanceof Problem && error.status === 404) return "This batch is not among yours.";
  return sentenceOf(error);
}

/** The study whose introduction she has to read first, if that is what stands in the way. */
function unreadIntroduction(error: unknown): string | null {
  if (!(error instanceof Problem) || error.code !== "consent_needed") return null;
  return typeof error.body.study === "string" ? error.body.study : null;
}

export function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const study = unreadIntroduction(error);
  if (study) return <Navigate to={`/studies/${study}/introduction`} replace />;
  return (
    <Frame>
      <main id="main" className={styles.column}>
        <h1>This batch could not be opened</h1>
        <Notice tone="bad">
          <p>{sentence(error)}</p>
          <div className={styles.row}>
            <Button onPress={onRetry}>Try again</Button>
            <ButtonLink to="/home">My batches</ButtonLink>
          </div>
        </Notice>
      </main>
    </Frame>
  );
}

export function NoQuestions() {
  return (
    <main id="main" className={styles.column}>
      <h1>No questions yet</h1>
      <p>The questions of this batch will be here. The coordinator of the study adds them.</p>
      <div>
        <ButtonLink to="/home">My batches</ButtonLink>
      </div>
    </main>
  );
}
