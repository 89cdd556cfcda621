import { useState } from "react";
import type { Dashboard, Id, StudyQuestionPage } from "@/api/contract";
import { EmptyState } from "@/components/EmptyState";
import { Pager } from "@/components/Pager";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import type { StudyKindInfo } from "@/domains/studies/studyKind";
import { formatCount, formatPlural } from "@/lib/format";
import { useUrlParams } from "@/lib/useUrlParams";
import { QuestionActions } from "./QuestionActions";
import { areAnswersShown, COMMENTS, QuestionFilters } from "./QuestionFilters";
import { PAGE_SIZE, useStudyQuestions, WITHOUT_ANSWERS } from "./questionQueries";
import { QuestionRow } from "./QuestionRow";
import styles from "./Questions.module.css";

interface Props {
  info: StudyKindInfo;
  dashboard: Dashboard;
}

/** Every question and how far the experts agree, those that divide them first; and what they answered, on request. */
export function QuestionsTab({ info, dashboard }: Props) {
  const [params, changeParams] = useUrlParams();
  const value = (name: string) => params.get(name) ?? "";
  const show = value("show");
  const hasAnswers = areAnswersShown(value);
  const query = useStudyQuestions(dashboard.study.id, {
    order: value("order"),
    search: value("search"),
    batch: value("batch"),
    outcome: show === COMMENTS ? "" : show,
    has_comment: show === COMMENTS ? "true" : "",
    state: value("state"),
    rater: value("rater"),
    agreement_below: value("below"),
    offset: value("from"),
    ...(!hasAnswers && WITHOUT_ANSWERS),
  });
  return (
    <section className={styles.section} aria-labelledby="questions-heading">
      <h2 id="questions-heading" className="visually-hidden">Questions</h2>
      <QuestionFilters info={info} dashboard={dashboard} value={value} onChange={(changes) => changeParams({ ...changes, from: null, open: null })} />
      <QueryBoundary query={query} skeleton={<SkeletonRows rows={8} height={72} />}>
        {(page) => (
          <QuestionList
            info={info}
            page={page}
            hasAnswers={hasAnswers}
            opened={value("open")}
            onOpen={(open) => changeParams({ open })}
            onOffset={(offset) => changeParams({ from: offset > 0 ? String(offset) : null, open: null })}
          />
        )}
      </QueryBoundary>
    </section>
  );
}

interface ListProps {
  info: StudyKindInfo;
  page: StudyQuestionPage;
  /** Else the answers to a question are read when it is opened. */
  hasAnswers: boolean;
  /** The question whose answers are shown. */
  opened: string;
  onOpen: (question: string | null) => void;
  onOffset: (offset: number) => void;
}

function QuestionList({ info, page, hasAnswers, opened, onOpen, onOffset }: ListProps) {
  const { results, total, questions, offset, study } = page;
  const [chosen, setSelected] = useState<ReadonlySet<Id>>(new Set());
  // Nothing is done to a question that is not on the page any more.
  const selected = new Set(results.map(({ question_id: id }) => id).filter((id) => chosen.has(id)));
  const toggle = (id: Id) => setSelected(selected.has(id) ? new Set([...selected].filter((one) => one !== id)) : new Set([...selected, id]));
  if (questions === 0) return <EmptyState>This study has no questions yet. Import files under its name, by New study.</EmptyState>;
  if (total === 0) return <EmptyState>No question matches. Change the search or what is shown.</EmptyState>;
  return (
    <>
      <p className={styles.count} role="status">
        {total === questions ? formatPlural(total, "question") : `${formatCount(total)} of ${formatPlural(questions, "question")}`}
      </p>
      <QuestionActions study={study.id} shown={results} selected={selected} onSelect={setSelected} />
      <ol className={styles.list}>
        {results.map((question) => {
          const id = question.question_id;
          return (
            <QuestionRow
              key={id}
              info={info}
              study={study}
              question={question}
              hasAnswers={hasAnswers}
              isOpen={opened === id}
              isSelected={selected.has(id)}
              onSelect={() => toggle(id)}
              onToggle={() => onOpen(opened === id ? null : id)}
            />
          );
        })}
      </ol>
      <Pager label="Pages of questions" offset={offset} total={total} size={PAGE_SIZE} onOffset={onOffset} />
    </>
  );
}
