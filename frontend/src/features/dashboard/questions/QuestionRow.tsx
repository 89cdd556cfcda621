import { ChevronRight, MessageSquare, TriangleAlert } from "lucide-react";
import type { StudyQuestion, StudyQuestionPage } from "@/api/contract";
import type { StudyKindInfo } from "@/domains/studies/studyKind";
import { formatPlural } from "@/lib/format";
import { LabelledCheckbox } from "@/components/ChoiceGroup";
import { Tag } from "@/components/Tag";
import { Interval } from "../AgreementCell";
import { questionFlagText } from "../flagLabels";
import { answersText, marksOf, measureText, questionPlace, reasonsText, shareText } from "./labels";
import { LoadedDetails } from "./LoadedDetails";
import { QuestionDetails } from "./QuestionDetails";
import styles from "./Questions.module.css";

interface Props {
  info: StudyKindInfo;
  study: StudyQuestionPage["study"];
  question: StudyQuestion;
  /** Else they are read when it is opened. */
  hasAnswers: boolean;
  isOpen: boolean;
  onToggle: () => void;
  isSelected: boolean;
  onSelect: () => void;
}

/** One question in a few lines; a press shows every answer to it. */
export function QuestionRow({ info, study, question, hasAnswers, isOpen, onToggle, isSelected, onSelect }: Props) {
  const { item, question_id: id } = question;
  const detailsId = `answers-${id}`;
  return (
    <li className={styles.row} data-open={isOpen || undefined}>
      <div className={styles.summary}>
        <div className={styles.what}>
          <div className={styles.place}>
            <LabelledCheckbox isSelected={isSelected} onChange={onSelect}>{questionPlace(question)}</LabelledCheckbox>
            {marksOf(question).map((mark) => <Tag key={mark}>{mark}</Tag>)}
          </div>
          <h3 className={styles.text}>
            <button type="button" aria-expanded={isOpen} aria-controls={detailsId} onClick={onToggle}>
              <ChevronRight size={16} aria-hidden />
              <span>{item.text}</span>
            </button>
          </h3>
          <Consensus info={info} question={question} />
        </div>
        <Figures info={info} kind={study.kind} question={question} />
      </div>
      <div id={detailsId} hidden={!isOpen}>
        {isOpen && (hasAnswers
          ? <QuestionDetails info={info} study={study} question={question} />
          : <LoadedDetails info={info} study={study.id} question={id} />)}
      </div>
    </li>
  );
}

/** The common answer, and the adjudicated one below it. */
function Consensus({ info: { dashboard }, question: { item, consensus, adjudicated, excluded } }: Pick<Props, "info" | "question">) {
  if (!dashboard.questions) return null;
  const { consensusLabel, consensusText } = dashboard.questions;
  const shown = [[consensusLabel, consensus], ["Adjudicated", adjudicated]] as const;
  return (
    <>
      {shown.map(([label, answer]) => answer !== null && (
        <p key={label} className={styles.consensus}>{label}: <span translate="no">{consensusText(item, answer)}</span></p>
      ))}
      {excluded !== null && <p className={styles.consensus}>Excluded from the consensus: {excluded}</p>}
    </>
  );
}

function Figures({ info, kind, question }: Pick<Props, "info" | "question"> & { kind: string }) {
  const [measure] = info.dashboard.measures;
  const shown = measure && measureText(question, measure);
  const share = shareText(info, question);
  const why = reasonsText(kind, question);
  return (
    <ul className={styles.figures}>
      {measure && shown && (
        <li className={styles.measure}>
          {shown.value !== null && <Interval value={shown.value} low={null} high={null} scale={measure.scale} />}
          <span>{measure.label} <b>{shown.text}</b></span>
        </li>
      )}
      <li>{answersText(info, question)}{share && <>; <b>{share}</b></>}</li>
      {why && <li>Reasons: {why}</li>}
      {question.flags.map((flag) => (
        <li key={flag.name} className={styles.comments}><TriangleAlert size={16} aria-hidden />{questionFlagText(flag)}</li>
      ))}
      {question.comments > 0 && (
        <li className={styles.comments}><MessageSquare size={16} aria-hidden />{formatPlural(question.comments, "comment")}</li>
      )}
    </ul>
  );
}
