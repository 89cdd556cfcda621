import { Suspense } from "react";
import type { Adjudication, ExpertAnswer, StudyQuestion, StudyQuestionPage } from "@/api/contract";
import { Skeleton } from "@/components/Skeleton";
import { outcomeLabel, type StudyKindInfo } from "@/domains/studies/studyKind";
import { formatDateTime, formatDuration } from "@/lib/format";
import { findStudyKind } from "@/study-kinds/registry";
import { expertName } from "../labels";
import { sightName } from "@/domains/studies/sight";
import { AdjudicatedAnswer } from "../adjudication/AdjudicatedAnswer";
import { QuestionThreads } from "./QuestionThreads";
import styles from "./Questions.module.css";

interface Props {
  info: StudyKindInfo;
  study: StudyQuestionPage["study"];
  question: StudyQuestion;
}

/** All answers to a question beside one another, and each with its comment. */
export function QuestionDetails({ info, study, question }: Props) {
  const { item, consensus, answers, adjudication } = question;
  const Comparison = info.dashboard.questions?.Comparison;
  const threads = <QuestionThreads study={study.id} question={question.question_id} />;
  if (question.is_blind) return <p className={styles.nothing}>You adjudicate this question: the answers are shown once you submit yours.</p>;
  if (answers.length === 0 && !adjudication) {
    return <><p className={styles.nothing}>No expert has answered this question yet.</p><div className={styles.details}>{threads}</div></>;
  }
  const numbered = [...answers.map((answer) => ({ answer, name: expertName(answer.expert) })), ...adjudicatedAnswers(adjudication)]
    .map(({ answer, name }, at) => ({ ...answer, number: at + 1, name }));
  return (
    <div className={styles.details}>
      {Comparison && (
        <Suspense fallback={<Skeleton height={200} />}><Comparison item={item} consensus={consensus} answers={numbered.slice(0, answers.length)} /></Suspense>
      )}
      <ol className={styles.answers} aria-label="Answers of the experts">
        {numbered.map((answer) => <Answer key={answer.number} info={info} kind={study.kind} answer={answer} />)}
      </ol>
      {adjudication && <AdjudicatedAnswer study={study} question={question} adjudication={adjudication} />}
      {threads}
    </div>
  );
}

/** After the experts' own: the first one, and revised where it was. */
function adjudicatedAnswers(adjudication: Adjudication | null): { answer: ExpertAnswer; name: string }[] {
  if (!adjudication) return [];
  const { first, revised, sight } = adjudication;
  const name = `Adjudication by ${first.expert.name}`;
  return [{ answer: first, name: `${name}, ${sightName(sight)}` }, ...(revised ? [{ answer: revised, name: `${name}, revised` }] : [])];
}

function Answer({ info, kind, answer }: { info: StudyKindInfo; kind: string; answer: ExpertAnswer & { number: number; name: string } }) {
  const { outcome, payload, comment, active_ms: time, submitted_at: at } = answer;
  const detail = findStudyKind(kind)?.outcomeDetail(payload, outcome);
  return (
    <li className={styles.answer}>
      <span className={styles.number} aria-hidden>{answer.number}</span>
      <div>
        <p>
          <b>{answer.name}</b> {outcomeLabel(info, outcome)}{detail && `: ${detail}`}{" "}
          <span className={styles.quiet}>{time !== null && `in ${formatDuration(time)}, `}{formatDateTime(at)}</span>
        </p>
        {comment && <blockquote className={styles.comment}>{comment}</blockquote>}
      </div>
    </li>
  );
}
