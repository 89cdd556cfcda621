/** The API's nouns under short names, so that features never spell out generated paths. */

export type Id = string;

export interface Person {
  id: Id;
  name: string;
  is_simulated: boolean;
}

export type StudyRole = "expert" | "coordinator";

export interface Me {
  id: Id;
  email: string;
  name: string;
  is_simulated: boolean;
  has_password: boolean;
  roles: { researcher: boolean; administrator: boolean };
  studies: { id: Id; name: string; roles: StudyRole[] }[];
}

export type InvitationRole = StudyRole | "researcher" | "administrator";
export type InvitationState = "open" | "accepted" | "revoked" | "expired";

export interface Invitation {
  id: Id;
  email: string;
  role: InvitationRole;
  state: InvitationState;
  created_at: string;
  expires_at: string;
  accepted_at: string | null;
  invited_by: string;
  link?: string;
  batches?: number[];
}

export interface InvitationPreview {
  email: string;
  role: InvitationRole;
  state: InvitationState;
  expires_at: string;
  invited_by: string;
  has_account: boolean;
  study: { id: Id; name: string } | null;
}

export type State = "untouched" | "draft" | "confirmed" | "changed" | "not_sure" | "skipped";
export type Action = "save" | "agree" | "submit" | "not_sure" | "skip";
export type Reason =
  | "new_to_me"
  | "unexpected_mechanism"
  | "clinically_useful"
  | "well_known"
  | "not_relevant"
  | "implausible";
export type UnsureReason =
  | "outside_my_field"
  | "question_unclear"
  | "candidates_unknown"
  | "too_close"
  | "other";

/** Ordered groups of candidate ids: a group of two or more is a tie. */
export type Ranking = Id[][];

export interface Candidate {
  id: Id;
  name: string;
  link: string;
  prior_rank: number;
}

export interface Question {
  id: Id;
  file_id: string;
  number: number;
  text: string;
  category: string;
  resources: { name: string; link: string }[];
  candidates: Candidate[];
  prior: Ranking;
}

export interface Response {
  version: number;
  state: State;
  ranking: Ranking;
  confidence: number | null;
  reasons: Reason[];
  comment: string;
  unsure_reason: UnsureReason | "";
  active_ms: number;
  updated_at: string | null;
  submitted: { number: number; state: State; submitted_at: string } | null;
}

export interface Assignment {
  id: Id;
  question: Question;
  response: Response;
}

export interface BatchAssignments {
  batch: { id: Id; number: number; name: string; study: { id: Id; name: string; status: StudyStatus } };
  total: number;
  assignments: Assignment[];
}

export type EventKind =
  | "opened"
  | "moved"
  | "tied"
  | "untied"
  | "undone"
  | "redone"
  | "confidence"
  | "reasons"
  | "comment"
  | "link_opened"
  | "definition_opened"
  | "agreed"
  | "submitted"
  | "not_sure"
  | "skipped"
  | "reopened";

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

export interface ResponseEvent {
  id: Id;
  kind: EventKind;
  old: Json;
  new: Json;
  at: string;
}

export interface ResponseWrite {
  version: number;
  action: Action;
  ranking: Ranking;
  confidence: number | null;
  reasons: Reason[];
  comment: string;
  unsure_reason: UnsureReason | "";
  active_ms: number;
  events: ResponseEvent[];
  interface: string;
}

export type StudyStatus = "open" | "closed";

export interface ExpertBatch {
  id: Id;
  number: number;
  name: string;
  study: { id: Id; name: string; status: StudyStatus; consent_needed: boolean; is_demo: boolean };
  total: number;
  answered: number;
  confirmed: number;
  changed: number;
  not_sure: number;
  skipped: number;
  drafts: number;
  median_active_ms: number | null;
  expected_left_ms: number | null;
}

export interface StudySummary {
  id: Id;
  name: string;
  status: StudyStatus;
  is_demo: boolean;
  roles: StudyRole[];
  batches: number;
  questions: number;
  experts: number;
  answered: number;
  expected: number;
  created_at: string;
}

export interface Stat {
  value: number | null;
  low: number | null;
  high: number | null;
  n: number;
  reason: string | null;
}

export interface Board {
  study: { id: Id; name: string; status: StudyStatus; is_demo: boolean };
  version: number;
  computed_at: string | null;
  totals: {
    answered: number;
    expected: number;
    median_active_ms: number | null;
    changed_share: number | null;
    not_sure_share: number | null;
    experts: number;
    active: Person[];
    finish_at: string | null;
  };
  batches: BoardBatch[];
  recent: RecentResponse[];
  experts: ExpertProgress[];
}

export interface BoardBatch {
  id: Id;
  number: number;
  name: string;
  questions: number;
  experts: number;
  answered: number;
  expected: number;
  skipped: number;
  active: Person[];
  median_active_ms: number | null;
  confirmed: number;
  changed: number;
  not_sure: number;
  changed_share: number | null;
  agreement: BatchAgreement | null;
}

export interface BatchAgreement {
  kendall_w: Stat;
  tau_b: Stat;
  top1: Stat;
  questions: number;
  not_sure_left_out: number;
  skipped_left_out: number;
  computed_at: string;
  stale: boolean;
}

export interface RecentResponse {
  at: string;
  expert: Person;
  batch_number: number;
  question_number: number;
  state: State;
  confidence: number | null;
}

export interface ExpertProgress extends Person {
  email: string;
  consented: boolean;
  batches: { id: Id; number: number; answered: number; total: number }[];
  answered: number;
  total: number;
  median_active_ms: number | null;
  changed_share: number | null;
  last_at: string | null;
}

export interface PracticeQuestion {
  question: Omit<Question, "candidates"> & { candidates: (Candidate & { hint: string })[] };
  explanation: string;
  sources: { claim: string; source: string; url: string }[];
}

export interface LeaderboardTrack {
  track: string;
  title: string;
  paper: string;
  about: string;
  tables: number;
  entries: number;
}

export interface LeaderboardColumn {
  key: string;
  slice: string;
  metric: string;
  label: string;
  /** Null where neither high nor low is better. */
  direction: "higher" | "lower" | null;
  unit: string;
  /** The unit in words, for people. */
  scale: string;
  decimals: number;
}

export interface LeaderboardCell {
  column: string;
  value: number | null;
  /** As printed by the source; numbers are shown with this and never rounded again. */
  text: string;
  place: "best" | "second" | null;
}

export interface LeaderboardRow {
  id: Id;
  model: string;
  setting: string;
  model_label: string;
  setting_label: string;
  provenance: "published";
  cells: LeaderboardCell[];
}

export interface LeaderboardTable {
  id: string;
  /** A few words that tell it from the track's other tables. */
  name: string;
  paper: string;
  table: string;
  title: string;
  note: string;
  source: string;
  source_url: string;
  /** The slice to show first; empty for the whole table. */
  main_slice: string;
  slices: { key: string; label: string }[];
  metrics: { metric: string; label: string; about: string; section: string }[];
  columns: LeaderboardColumn[];
  rows: LeaderboardRow[];
}

export interface LeaderboardTrackDetail extends Omit<LeaderboardTrack, "tables"> {
  tables: LeaderboardTable[];
}
