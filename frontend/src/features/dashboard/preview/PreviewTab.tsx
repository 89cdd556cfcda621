import { useState } from "react";
import { Link } from "react-router";
import type { Dashboard, StudyQuestion, StudyQuestionPage } from "@/api/contract";
import { Button } from "@/components/Button";
import { EmptyState } from "@/components/EmptyState";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SelectField } from "@/components/SelectField";
import { SkeletonRows } from "@/components/SkeletonRows";
import { formatCount, formatPlural } from "@/lib/format";
import { useUrlParams } from "@/lib/useUrlParams";
import { PAGE_SIZE, useStudyQuestions, WITHOUT_ANSWERS } from "../questions/questionQueries";
import { workEstimate } from "./workEstimate";
import { QuestionPreview } from "./QuestionPreview";
import styles from "./Preview.module.css";

const EXPERT_OPTIONS = Array.from({ length: 12 }, (_, at) => ({ value: String(at + 1), label: formatPlural(at + 1, "expert") }));
const USUAL_EXPERTS = 3;

/** A questionnaire as its experts will see it, one question at a time, and the hours that it takes. */
export function PreviewTab({ dashboard }: { dashboard: Dashboard }) {
  const [params, changeParams] = useUrlParams();
  const at = Math.max(0, Number.parseInt(params.get("at") ?? "1", 10) - 1 || 0);
  const query = useStudyQuestions(dashboard.study.id, { order: "number", offset: String(at - (at % PAGE_SIZE)), ...WITHOUT_ANSWERS });
  return (
    <section className={styles.section} aria-labelledby="preview-heading">
      <h2 id="preview-heading" className="visually-hidden">Preview</h2>
      <QueryBoundary query={query} skeleton={<SkeletonRows rows={6} height={56} />}>
        {(page) => (
          <>
            <WorkEstimate dashboard={dashboard} questions={page.questions} />
            {page.total > 0 && <p><Link to={`/studies/${dashboard.study.id}/try`}>Try as an expert</Link>: answer the questions without anything being stored.</p>}
            <OneQuestion page={page} at={at} onMove={(next) => changeParams({ at: next > 0 ? String(next + 1) : null })} />
          </>
        )}
      </QueryBoundary>
    </section>
  );
}

function WorkEstimate({ dashboard, questions }: { dashboard: Dashboard; questions: number }) {
  const [experts, setExperts] = useState(String(expertsEach(dashboard.totals, questions)));
  return (
    <div className={styles.estimate}>
      <SelectField label="Experts for each question" value={experts} options={EXPERT_OPTIONS} onChange={setExperts} />
      <p role="status">{workEstimate(questions, Number(experts))}</p>
    </div>
  );
}

/** Those that the study requests for each question, or has assigned; before that, what is usual. */
function expertsEach({ expected, experts }: Pick<Dashboard["totals"], "expected" | "experts">, questions: number): number {
  const planned = questions > 0 ? Math.round(expected / questions) : 0;
  return Math.min(planned || Math.max(experts, USUAL_EXPERTS), EXPERT_OPTIONS.length);
}

interface QuestionProps {
  page: StudyQuestionPage;
  /** Position in the whole study, from 0. */
  at: number;
  onMove: (at: number) => void;
}

function OneQuestion({ page, at, onMove }: QuestionProps) {
  const question: StudyQuestion | undefined = page.results[at - page.offset];
  if (page.total === 0) return <EmptyState>This study has no questions yet. Import files under its name, by New study.</EmptyState>;
  return (
    <>
      <nav className={styles.pages} aria-label="Questions">
        <Button onPress={() => onMove(at - 1)} isDisabled={at === 0}>Previous</Button>
        <span role="status">Question {formatCount(at + 1)} of {formatCount(page.total)}</span>
        <Button onPress={() => onMove(at + 1)} isDisabled={at + 1 >= page.total}>Next</Button>
      </nav>
      {question ? <QuestionPreview study={page.study} question={question} /> : <SkeletonRows rows={5} height={56} />}
    </>
  );
}
