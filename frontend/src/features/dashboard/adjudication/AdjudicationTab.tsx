import { useQuery } from "@tanstack/react-query";
import type { Dashboard, Id, QueuedQuestion } from "@/api/contract";
import { Button, ButtonLink } from "@/components/Button";
import { EmptyState } from "@/components/EmptyState";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import type { StudyKindInfo } from "@/domains/studies/studyKind";
import { sightReason } from "@/domains/studies/sight";
import { formatPlural } from "@/lib/format";
import { useUrlParams } from "@/lib/useUrlParams";
import { LoadedDetails } from "../questions/LoadedDetails";
import { questionPlace } from "../questions/labels";
import { adjudicationsQuery } from "../queries";
import styles from "./Adjudication.module.css";
import { adjudicationPath } from "./labels";

interface Props {
  info: StudyKindInfo;
  dashboard: Dashboard;
}

/** What waits for adjudication, those that divide the experts most first, and what is done. */
export function AdjudicationTab({ info, dashboard: { study } }: Props) {
  const query = useQuery(adjudicationsQuery(study.id));
  return (
    <section className={styles.section} aria-labelledby="adjudication-heading">
      <h2 id="adjudication-heading" className="visually-hidden">Adjudication</h2>
      <p className={styles.intro}>You answer each question without the experts’ answers. Then you see them beside yours, and can revise once, with a reason. What you have seen before is recorded with your answer.</p>
      <QueryBoundary query={query} skeleton={<SkeletonRows rows={4} height={72} />}>
        {(rows) => rows.length === 0
          ? <EmptyState action={<ButtonLink to="?tab=questions">To the questions</ButtonLink>}>No question waits for adjudication. Select questions under Questions, and send them here.</EmptyState>
          : <Queue info={info} study={study.id} rows={rows} />}
      </QueryBoundary>
    </section>
  );
}

function Queue({ info, study, rows }: { info: StudyKindInfo; study: Id; rows: QueuedQuestion[] }) {
  const [params, changeParams] = useUrlParams();
  const opened = params.get("open");
  const waiting = rows.filter(({ state }) => state !== "adjudicated").length;
  return (
    <>
      <p className={styles.quiet} role="status">{waiting ? `${formatPlural(waiting, "question waits", "questions wait")} for adjudication` : "All are adjudicated"}</p>
      <ol className={styles.queue}>
        {rows.map((row) => (
          <li key={row.question_id}>
            <div className={styles.row}>
              <div>
                <p className={styles.quiet}>{questionPlace(row)}</p>
                <h3 className={styles.text}>{row.text}</h3>
                <SeenBefore row={row} />
              </div>
              <NextStep study={study} row={row} isOpen={opened === row.question_id} onOpen={(open) => changeParams({ open })} />
            </div>
            {opened === row.question_id && <LoadedDetails info={info} study={study} question={row.question_id} />}
          </li>
        ))}
      </ol>
    </>
  );
}

/** Of a question that the reader can adjudicate: what the record will state. */
function SeenBefore({ row: { state, sight, is_answered_by_reader: isExpert } }: { row: QueuedQuestion }) {
  const reason = sightReason(sight);
  if (!reason || isExpert || (state !== "open" && state !== "own")) return null;
  return <p className={styles.quiet}>{reason}</p>;
}

interface StepProps {
  study: Id;
  row: QueuedQuestion;
  isOpen: boolean;
  onOpen: (question: Id | null) => void;
}

function NextStep({ study, row, isOpen, onOpen }: StepProps) {
  const { question_id: id, state, adjudicator, sight } = row;
  if (state === "adjudicated") {
    return <Button aria-expanded={isOpen} onPress={() => onOpen(isOpen ? null : id)}>{isOpen ? "Hide the result" : "Show the result"}</Button>;
  }
  if (row.is_answered_by_reader) return <p className={styles.quiet}>You have it as an expert; another coordinator can adjudicate it.</p>;
  if (state === "taken") return <p className={styles.quiet}>{adjudicator?.name} adjudicates it.</p>;
  return <ButtonLink to={adjudicationPath(study, id)} variant="primary">{adjudicationLabel(state, sight)}</ButtonLink>;
}

function adjudicationLabel(state: QueuedQuestion["state"], sight: QueuedQuestion["sight"]): string {
  const name = state === "own" ? "Continue" : "Adjudicate";
  return sight.state === "blind" ? `${name} blind` : name;
}
