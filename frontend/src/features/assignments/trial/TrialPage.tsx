import { useQuery } from "@tanstack/react-query";
import { Suspense, useCallback, useRef, useState } from "react";
import { useParams } from "react-router";
import type { Assignment, Id, Response, StudyQuestion, StudyQuestionPage } from "@/api/contract";
import { ButtonLink } from "@/components/Button";
import { Notice } from "@/components/Notice";
import { LoadError } from "@/components/QueryBoundary";
import { useAnnouncer } from "@/components/useAnnouncer";
import type { AnswerUpdate, EditorHandle, StudyKind } from "@/domains/studies/studyKind";
import { formatCount } from "@/lib/format";
import { readQuery } from "@/lib/readQuery";
import { useShortcutSetting } from "@/lib/shortcutSetting";
import { findStudyKind } from "@/study-kinds/registry";
import { ActionBar } from "../ActionBar";
import styles from "../AssignmentsPage.module.css";
import { AssignmentsLayout } from "../AssignmentsLayout";
import { BatchLoading, UnknownStudyKind } from "../LoadStates";
import { QuestionHeader } from "../QuestionHead";
import { useQuestionFocus } from "../QuestionView";
import type { AnswerControl } from "../useAnswer";
import { useQuestionShortcuts } from "../useQuestionShortcuts";
import { useSubmission } from "../useSubmission";

const PAGE_SIZE = 25;

/** A study's questions for its coordinators to answer as experts do. Nothing leaves this page. */
export function TrialPage() {
  const { id = "" } = useParams();
  const [at, setAt] = useState(0);
  const offset = at - (at % PAGE_SIZE);
  const { data, error, refetch } = useQuery(
    readQuery<StudyQuestionPage>(["trial", id, offset], `/api/v1/studies/${id}/questions?order=number&offset=${offset}`),
  );
  if (error) return <TrialError error={error} onRetry={() => void refetch()} />;
  if (!data) return <BatchLoading />;
  const kind = findStudyKind(data.study.kind);
  if (!kind) return <UnknownStudyKind />;
  const question = data.results[at - offset];
  return (
    <AssignmentsLayout bar={<TrialBar study={data.study} at={at} total={data.total} />}>
      {question ? (
        <Suspense fallback={<BatchLoading />}>
          <TrialQuestion
            key={question.item.id}
            kind={kind}
            question={question}
            isDemo={data.study.is_demo}
            onDone={() => setAt(at + 1)}
            {...(at > 0 && { onBack: () => setAt(at - 1) })}
          />
        </Suspense>
      ) : <TrialEnd study={id} />}
    </AssignmentsLayout>
  );
}

function TrialBar({ study, at, total }: { study: StudyQuestionPage["study"]; at: number; total: number }) {
  return (
    <>
      <p className={styles.where}>Trial of {study.name}</p>
      {at < total && <p className={styles.left}>{formatCount(at + 1)} of {formatCount(total)}</p>}
      <ButtonLink to={`/studies/${study.id}?tab=preview`} variant="quiet">End the trial</ButtonLink>
    </>
  );
}

function TrialError({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <AssignmentsLayout>
      <main id="main" className={styles.column}>
        <h1>The trial could not be opened</h1>
        <LoadError error={error} onRetry={onRetry} />
      </main>
    </AssignmentsLayout>
  );
}

function TrialEnd({ study }: { study: Id }) {
  return (
    <main id="main" className={styles.column}>
      <h1>The trial is over</h1>
      <p>An expert would now read a summary of the batch. Nothing was stored.</p>
      <div><ButtonLink to={`/studies/${study}`} variant="primary">To the study</ButtonLink></div>
    </main>
  );
}

interface QuestionProps {
  kind: StudyKind;
  question: StudyQuestion;
  isDemo: boolean;
  onDone: () => void;
  onBack?: () => void;
}

function TrialQuestion({ kind, question, isDemo, onDone, onBack }: QuestionProps) {
  const [shortcutsEnabled] = useShortcutSetting();
  const { announce, region } = useAnnouncer();
  const editor = useRef<EditorHandle>(null);
  const [assignment] = useState(() => untouched(question));
  const control = useTrialAnswer(assignment.response);
  const submission = useSubmission({ kind, assignment, control, isClosed: false, onDone });
  const confirmation = useQuestionShortcuts({ kind, shortcutsEnabled, announce, submission, editor, onDefinition: nothing, onShortcuts: nothing });
  useQuestionFocus(editor, assignment, "trial", announce);
  const { alternative } = submission;
  return (
    <>
      <main className={styles.work} id="main">
        <div className={styles.column}>
          <Notice tone="warn">Trial: nothing that you do here is stored or counted.</Notice>
          <QuestionHeader kind={kind} assignment={assignment} isSubmitted={false} onLinkOpened={nothing} shortcutsEnabled={shortcutsEnabled} />
          <kind.Editor
            ref={editor}
            item={assignment.item}
            initial={control.start.payload}
            answer={control.answer}
            response={assignment.response}
            isDemo={isDemo}
            shortcutsEnabled={shortcutsEnabled}
            announce={announce}
            onChange={control.change}
            onActivity={control.recordActivity}
          />
        </div>
      </main>
      <ActionBar kind={kind} submission={submission} {...confirmation} shortcutsEnabled={shortcutsEnabled} canSkip {...(onBack && { onBack })} />
      {kind.alternative && (
        <Suspense>
          <kind.alternative.Dialog isOpen={alternative.isOpen} onClose={() => alternative.setOpen(false)} onChoose={alternative.choose} />
        </Suspense>
      )}
      {region}
    </>
  );
}

const nothing = () => {};

/** As an expert who never opened the question has it. */
function untouched({ item, initial }: StudyQuestion): Assignment {
  const response: Response = { version: 0, status: "untouched", outcome: "", payload: initial, active_ms: 0, updated_at: null, submitted: null };
  return { id: item.id, item, response };
}

/** In place of the recorder: the answer lives as long as the question is shown. */
function useTrialAnswer(start: Response): AnswerControl {
  const [answer, setAnswer] = useState(start.payload);
  return {
    answer,
    start,
    isSubmitted: false,
    isUpToDateWith: () => true,
    change: useCallback((update: AnswerUpdate) => setAnswer(update), []),
    recordActivity: nothing,
    finish: nothing,
    declareConflict: () => Promise.resolve(),
    submit: () => Promise.resolve(),
  };
}
