import { ListFilter } from "lucide-react";
import { useState } from "react";
import type { Dashboard } from "@/api/contract";
import { Button } from "@/components/Button";
import { LabelledCheckbox } from "@/components/ChoiceGroup";
import { SearchField } from "@/components/SearchField";
import { SelectField } from "@/components/SelectField";
import { batchName } from "@/domains/studies/batches";
import type { StudyKindInfo } from "@/domains/studies/studyKind";
import type { UrlChanges } from "@/lib/useUrlParams";
import styles from "./Questions.module.css";

/** Not an outcome, but chosen among them. */
export const COMMENTS = "comments";

const STATES = [
  { value: "", label: "Any" },
  { value: "unanswered", label: "Unanswered" },
  { value: "in_progress", label: "In progress" },
  { value: "complete", label: "Complete" },
  { value: "to_adjudicate", label: "Waits for adjudication" },
  { value: "adjudicated", label: "Adjudicated" },
  { value: "flagged", label: "Flagged by an expert" },
  { value: "gold_failed", label: "Known answer missed by an expert" },
  { value: "excluded", label: "Excluded from the consensus" },
];

/** Who chooses an order or a filter by answers gets them as well. */
export function areAnswersShown(value: (name: string) => string): boolean {
  const show = value("show");
  return value("answers") === "shown" || value("order") === "share" || (show !== "" && show !== COMMENTS);
}

const FILTERS = ["state", "show", "below", "rater", "batch"];

/** Limits of the first measure. */
const BELOW = ["1", "0.8", "0.5", "0"];

interface Props {
  info: StudyKindInfo;
  dashboard: Dashboard;
  value: (name: string) => string;
  onChange: (changes: UrlChanges) => void;
}

/** On a phone one control folds all but the search, so that questions are seen at once. */
export function QuestionFilters({ info, dashboard, value, onChange }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const count = FILTERS.filter((name) => value(name) !== "").length;
  const { share, measures: [measure] } = info.dashboard;
  const hasAnswers = areAnswersShown(value);
  const orders = [
    { value: "", label: "Disagreement, most first" },
    ...(share && hasAnswers ? [{ value: "share", label: `${share.heading}, most first` }] : []),
    { value: "comments", label: "Comments, most first" },
    { value: "unanswered", label: "Answers missing, most first" },
    { value: "number", label: "Number" },
  ];
  const filters = [
    { value: "", label: "All questions" },
    { value: COMMENTS, label: "With comments" },
    ...(hasAnswers ? info.outcomes.map(({ name, title }) => ({ value: name, label: `With an answer ‘${title}’` })) : []),
    ...(hasAnswers ? [{ value: "skipped", label: "Skipped by an expert" }] : []),
  ];
  const showAnswers = (isShown: boolean) => {
    const show = value("show") === COMMENTS ? COMMENTS : null;
    const order = value("order") === "share" ? null : value("order") || null;
    onChange(isShown ? { answers: "shown" } : { answers: null, show, order });
  };
  const batches = dashboard.batches.map((batch) => ({ value: String(batch.number), label: batchName(batch) }));
  return (
    <div className={styles.controls}>
      <SearchField label={hasAnswers ? "Find in questions and comments" : "Find in questions"} text={value("search")} onChange={(search) => onChange({ search })} />
      <div className={styles.fold}>
        <Button aria-expanded={isOpen} aria-controls="question-filters" onPress={() => setIsOpen(!isOpen)}>
          <ListFilter size={16} aria-hidden />{count > 0 ? `Filters (${count})` : "Filters"}
        </Button>
      </div>
      <div id="question-filters" className={styles.filters} data-open={isOpen || undefined}>
        <SelectField label="Order" value={value("order")} options={orders} onChange={(order) => onChange({ order: order || null })} />
        <SelectField label="State" value={value("state")} options={STATES} onChange={(state) => onChange({ state: state || null })} />
        <SelectField label="Show" value={value("show")} options={filters} onChange={(show) => onChange({ show: show || null })} />
        {measure && (
          <SelectField
            label={measure.label}
            value={value("below")}
            options={[{ value: "", label: "Any, also unknown" }, ...BELOW.map((limit) => ({ value: limit, label: `Below ${limit}` }))]}
            onChange={(below) => onChange({ below: below || null })}
          />
        )}
        {dashboard.experts.length > 1 && (
          <SelectField
            label="Answered by"
            value={value("rater")}
            options={[{ value: "", label: "Any expert, or none" }, ...dashboard.experts.map(({ id, name }) => ({ value: id, label: name }))]}
            onChange={(rater) => onChange({ rater: rater || null })}
          />
        )}
        {batches.length > 1 && (
          <SelectField
            label="Batch"
            value={value("batch")}
            options={[{ value: "", label: "All batches" }, ...batches]}
            onChange={(batch) => onChange({ batch: batch || null })}
          />
        )}
      </div>
      <div className={styles.answersChoice}>
        <LabelledCheckbox isSelected={hasAnswers} onChange={() => showAnswers(!hasAnswers)}>Show the answers in the list</LabelledCheckbox>
        <p className={styles.quiet}>Whoever has read the answers to a question does not adjudicate it blind.</p>
      </div>
    </div>
  );
}
