import { Navigate } from "react-router";
import { Problem, NetworkError } from "@/api/client";
import { Button, ButtonLink } from "@/components/Button";
import { Notice } from "@/components/Notice";
import { Skeleton } from "@/components/Skeleton";
import { errorMessage } from "@/lib/errorMessages";
import { useIsSlow } from "@/lib/useIsSlow";
import { AssignmentsLayout } from "./AssignmentsLayout";
import styles from "./AssignmentsPage.module.css";

/** The shape of a question, while its batch is read, and why that takes longer. */
export function BatchLoading({ failure = null }: { failure?: Error | null }) {
  const isSlow = useIsSlow(true);
  return (
    <AssignmentsLayout>
      <main id="main" className={styles.column} aria-busy="true">
        <h1 className="visually-hidden">Opening the batch</h1>
        {failure ? <Notice tone="warn">{errorMessage(failure)} Trying again.</Notice> : isSlow && <SlowNotice of="This batch" />}
        <Skeleton height={24} width={180} />
        <Skeleton height={58} />
        <Skeleton height={32} width={240} />
        {[1, 2, 3, 4].map((card) => <Skeleton key={card} height={64} />)}
      </main>
    </AssignmentsLayout>
  );
}

function SlowNotice({ of }: { of: string }) {
  return <Notice tone="warn">The server is slow to answer. {of} is still loading.</Notice>;
}

function batchErrorMessage(error: unknown): string {
  if (error instanceof NetworkError) {
    return "The server did not answer, and this batch is not stored on this device. Connect and open it once.";
  }
  if (error instanceof Problem && error.status === 404) return "This batch is not assigned to you.";
  return errorMessage(error);
}

/** The study that needs consent first, if that is the error. */
function studyNeedingConsent(error: unknown): string | null {
  if (!(error instanceof Problem) || error.code !== "consent_needed") return null;
  return typeof error.body.study === "string" ? error.body.study : null;
}

export function BatchLoadError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const study = studyNeedingConsent(error);
  if (study) return <Navigate to={`/studies/${study}/introduction`} replace />;
  return (
    <AssignmentsLayout>
      <main id="main" className={styles.column}>
        <h1>This batch could not be opened</h1>
        <Notice tone="bad">
          <p>{batchErrorMessage(error)}</p>
          <div className={styles.row}>
            <Button onPress={onRetry}>Try again</Button>
            <ButtonLink to="/home">My batches</ButtonLink>
          </div>
        </Notice>
      </main>
    </AssignmentsLayout>
  );
}

/** The study is of a kind that this build of the page does not have. */
export function UnknownStudyKind() {
  return (
    <AssignmentsLayout>
      <main id="main" className={styles.column}>
        <h1>This study needs a newer page</h1>
        <p>This page cannot show questions of this kind. Reload the page to get its newest version.</p>
        <div><ButtonLink to="/home">My batches</ButtonLink></div>
      </main>
    </AssignmentsLayout>
  );
}

/** The answer was taken; the server is slow with the next question. */
export function AwaitedQuestion() {
  const isSlow = useIsSlow(true);
  return (
    <main id="main" className={styles.column} aria-busy="true">
      <h1>Loading the next question</h1>
      {isSlow && <SlowNotice of="The next question" />}
      {[1, 2, 3, 4].map((card) => <Skeleton key={card} height={64} />)}
    </main>
  );
}

export function EmptyBatch() {
  return (
    <main id="main" className={styles.column}>
      <h1>No questions yet</h1>
      <p>This batch has no questions yet. The study’s coordinator adds them.</p>
      <div><ButtonLink to="/home">My batches</ButtonLink></div>
    </main>
  );
}
