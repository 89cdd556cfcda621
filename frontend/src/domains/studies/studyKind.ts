/**
 * What a study kind provides. Everything outside a kind's folder treats its items and answers as
 * opaque: an answer is a payload that the kind alone reads, compares and shows.
 */
import type { ComponentType, Ref } from "react";
import type { LucideIcon } from "lucide-react";
import type { Id, Item, Json, Measure, Payload, Response } from "@/api/contract";
import type { EvidenceMark } from "./marks/marks";

interface OutcomeInfo {
  name: string;
  /** In a sentence or a list: 'order changed'. */
  label: string;
  /** Above a count: 'Changed'. */
  title: string;
  /** For a share of all answers: 'agree with the order shown'. */
  verb: string;
  icon: LucideIcon;
  tone: "good" | "warn";
}

/** Applied to the newest answer, which may not have been rendered yet. */
export type AnswerUpdate<Answer extends Payload = Payload> = (answer: Answer) => Answer;

/** A step on the way to an answer, as the activity log records it. */
export interface AnswerStep {
  kind: string;
  old: Json;
  new: Json;
  /** Continues the last step of this kind, as each letter of a comment does. */
  isContinued?: boolean;
}

export interface EditorHandle {
  /** Without scrolling to it, so that the question stays in view. */
  focusFirst: () => void;
  /** The part of the answer that had focus last, or the first. */
  restoreFocus: () => void;
  /** What single keys do beside those of the page, by key in lower case. */
  shortcuts: Record<string, () => void>;
}

export interface EditorProps<ItemType extends Item = Item, Answer extends Payload = Payload> {
  item: ItemType;
  /** The answer when the question was opened. */
  initial: Answer;
  answer: Answer;
  response: Response;
  isDemo: boolean;
  /** Whether single letters and digits act. */
  shortcutsEnabled: boolean;
  announce: (message: string) => void;
  onChange: (update: AnswerUpdate<Answer>, step: AnswerStep) => void;
  onActivity: (kind: string, detail: Json) => void;
  ref: Ref<EditorHandle>;
}

export interface ReadOnlyProps<ItemType extends Item = Item, Answer extends Payload = Payload> {
  item: ItemType;
  answer: Answer;
  isDemo: boolean;
}

export interface SubmissionInfo {
  outcome: string;
  /** On the primary button. */
  label: string;
  /** What the activity log calls it. */
  step: string;
  /** Whether the key A, pressed twice, submits it: only what equals the answer shown. */
  isAgreement: boolean;
  /** Nothing can be submitted yet; the label names what is missing. */
  isIncomplete?: boolean;
}

/** A second way to answer, which needs a choice first. */
interface AlternativeInfo<Answer extends Payload = Payload> {
  label: string;
  /** The single key that opens its dialog, in lower case. */
  key: string;
  outcome: string;
  step: string;
  Dialog: ComponentType<{ isOpen: boolean; onClose: () => void; onChoose: (update: AnswerUpdate<Answer>) => void }>;
}

export interface AnswerDifference {
  label: string;
  local: string;
  saved: string;
  isDifferent: boolean;
}

/** Keys and what they do, for the list of shortcuts. */
export type ShortcutHelp = [keys: string[], text: string];

/** Why a number is missing: a few words for its cell, a sentence for the line under the table. */
export interface ReasonLabel {
  text: string;
  long: string;
}

/** How the dashboard shows one of the measures that the server computes for the kind. */
export interface MeasureInfo {
  name: string;
  /** In the dashboard's URL. */
  key: string;
  label: string;
  /** What the number means, in one line. */
  hint: string;
  scale: [number, number];
  /** It shows how questions were answered: the server sends it only once no adjudication has to be blind to it. */
  isResult?: boolean;
  format: (value: number) => string;
  missing: {
    /** Before enough answers are there to compute it. */
    tooFew: ReasonLabel;
    /** By the server's reason. */
    reasons: Record<string, ReasonLabel>;
  };
  /** Where they are not questions: what n counts, and what is resampled for the interval. */
  basis?: { unit: string; intervals: string };
}

/** The answers to one question, the experts in a fixed order. */
export interface ComparisonProps<ItemType extends Item = Item, Answer extends Payload = Payload> {
  item: ItemType;
  /** The common answer that the server computes for the kind, or null. */
  consensus: Json;
  /** number: of the expert in the list of answers beside it. */
  answers: { number: number; name: string; outcome: string; payload: Answer }[];
}

/** What the list of a study's questions shows of the kind's answers. */
interface QuestionComparison<ItemType extends Item = Item, Answer extends Payload = Payload> {
  /** Before the common answer: 'Common order'. */
  consensusLabel: string;
  consensusText: (item: ItemType, consensus: Json) => string;
  /** All answers in one picture, with text beside it. */
  Comparison: ComponentType<ComparisonProps<ItemType, Answer>>;
}

/** As with the whole kind: the dashboard only hands its items and answers back. */
export function defineComparison<ItemType extends Item, Answer extends Payload>(comparison: QuestionComparison<ItemType, Answer>) {
  return comparison as unknown as QuestionComparison;
}

export interface DashboardInfo {
  /** Measures of agreement; the first is shown until another is selected. */
  measures: MeasureInfo[];
  /** How a measure of another name is shown, where names come from the study's files; null hides it. */
  describeMeasure?: (measure: Measure) => MeasureInfo | null;
  /** The share of answers shown for each batch and expert. */
  share: { name: string; heading: string; summaryLabel: string; hint: string; missingLabel: string } | null;
  /** A share noted beside it in the summary. */
  secondShare: { name: string; label: string } | null;
  /** What a coordinator can do with the answers. */
  ResultAction?: ComponentType<{ study: Id; isOpen: boolean }>;
  /** Under the statistics that every kind has. */
  Statistics?: ComponentType<{ study: Id }>;
  questions?: QuestionComparison;
}

export interface PracticeProps {
  /** Whether candidates have the links to look them up. */
  showsLinks?: boolean;
}

/** Questions to try, with an explanation after the answer, which is neither saved nor sent. */
export interface PracticeInfo {
  /** On the links and buttons that lead to it: 'Rank a practice question'. */
  linkLabel: string;
  /** The questions themselves, one after the other. */
  Player: ComponentType<PracticeProps>;
  /** For the front page: a small picture of how weights choose among the first question's answers. */
  Measure?: ComponentType;
}

/** How a study of the kind is planned. */
export interface PlanningInfo {
  /** As the server names what it simulates: 'pairs'. */
  judgement: string;
  label: string;
  /** On the field of their number: 'Pairs'. */
  items: string;
  /** A number that only these judgements need. */
  field?: { name: "preference" | "candidates"; label: string; hint?: string };
}

/** What lists and the dashboard need of a kind, known also where its editor is not. */
export type StudyKindInfo = Pick<StudyKind, "outcomes" | "dashboard">;

export interface StudyKind<ItemType extends Item = Item, Answer extends Payload = Payload> {
  name: string;
  /** Where a coordinator chooses what experts do. */
  title: string;
  /** Chosen until the coordinator chooses another. */
  isDefault?: boolean;
  /** The version of the editor, recorded with all activity. */
  interface: string;
  /** Every outcome of a submitted answer, in the order in which counts are shown. */
  outcomes: OutcomeInfo[];
  dashboard: DashboardInfo;
  Editor: ComponentType<EditorProps<ItemType, Answer>>;
  ReadOnlyView: ComponentType<ReadOnlyProps<ItemType, Answer>>;
  Instructions: ComponentType<{ isDemo: boolean }>;
  /** What the study stores of answers and of the way to them; experts consent to it. */
  recordedData: string[];
  /** The terms of the study's question, before the first one and beside each. */
  definition: {
    heading: string;
    Text: ComponentType;
    /** Loads the text before it is opened, where a page must work without a network. */
    preload?: () => Promise<unknown>;
  };
  shortcuts: {
    /** Where the keys act. */
    intro: string;
    general: ShortcutHelp[];
    singleKeys: ShortcutHelp[];
    /** On the switch of the single keys. */
    switchLabel: string;
    /** In place of the single keys that are switched off. */
    offText: string;
  };
  /** Shown when A is pressed although the answer no longer agrees. */
  changedMessage: string;
  alternative: AlternativeInfo<Answer> | null;
  practice?: PracticeInfo;
  /** How experts judge answers of predictions that no label covers, of kinds that can. */
  answerVerdicts?: string;
  /** Whether its studies compare sets of queries by their source. */
  comparesQueries?: boolean;
  /** Of kinds whose items carry what experts judge by: states it where other studies have a graph. */
  ownEvidence?: string;
  planning?: PlanningInfo;
  /** For answers that mark evidence of the study's graph as what decided. */
  marking?: { marks: (answer: Answer) => EvidenceMark[]; toggle: (mark: EvidenceMark) => AnswerUpdate<Answer> };
  /** Whether single keys pressed on this element act on the answer. */
  isShortcutTarget(target: EventTarget | null): boolean;
  submission(item: ItemType, answer: Answer): SubmissionInfo;
  /** The answer as it is submitted: without what belongs to other outcomes alone. */
  forSubmission(answer: Answer, outcome: string): Answer;
  /** What the activity log stores of a submission. */
  submissionDetail(answer: Answer): Json;
  isSame(left: Answer, right: Answer): boolean;
  differences(item: ItemType, local: Answer, saved: Answer): AnswerDifference[];
  /** The whole answer line by line, to be copied. */
  summarize(item: ItemType, answer: Answer): string[];
  /** What to add to the outcome's label, or nothing: 'too close to call'. */
  outcomeDetail(answer: Answer, outcome: string): string;
  /** What the study's graph has evidence for, or nothing. */
  evidenceSubjects(item: ItemType): { id: Id; name: string }[];
  /** An answer to start from where the server sent none. */
  emptyPayload(item: ItemType): Answer;
}

/** The rest of the page holds the kind's items and answers as opaque values and only hands them back. */
export function defineStudyKind<ItemType extends Item, Answer extends Payload>(kind: StudyKind<ItemType, Answer>): StudyKind {
  return kind as unknown as StudyKind;
}

/** 'agreed', 'draft': the result of a response in a few words. */
export function responseLabel(kind: StudyKindInfo, { status, outcome }: Pick<Response, "status" | "outcome">): string {
  if (status === "untouched") return "not answered";
  return status === "submitted" ? outcomeLabel(kind, outcome) : status;
}

/** The kind's label of an outcome; 'skipped' is the same for every kind. */
export function outcomeLabel({ outcomes }: StudyKindInfo, name: string): string {
  return outcomes.find((outcome) => outcome.name === name)?.label ?? name.replaceAll("_", " ");
}

/** A submitted answer, not a skipped question. */
export const isAnswer = (outcome: string) => outcome !== "" && outcome !== "skipped";
