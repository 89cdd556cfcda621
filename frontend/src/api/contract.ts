/** The API's nouns under short names, so that features never spell out generated paths. */
import type { components } from "./generated/schema";

type Schemas = components["schemas"];

export type Id = string;
export type Person = Schemas["Person"];
export type StudyRole = Schemas["StudyRole"];
export type CurrentUser = Schemas["CurrentUser"];

export type IntervalFigure = Schemas["IntervalFigure"];
export type InvitationRole = Schemas["InvitationRole"];
export type InvitationState = Schemas["InvitationState"];
export type Invitation = Schemas["Invitation"];
export type StudyInvitation = Schemas["StudyInvitation"];
export type CreatedInvitation = Schemas["CreatedInvitation"];
export type InvitationPreview = Schemas["InvitationLookup"];

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** An answer, whose fields belong to the study kind. */
export type Payload = { [field: string]: Json };
/** What every kind's question has; the kind adds its own members. */
export type Item = {
  id: Id;
  file_id: string;
  number: number;
  text: string;
  category: string;
  resources: { name: string; link: string }[];
};
export type ResponseStatus = Schemas["Response"]["status"];
export type ResponseAction = Schemas["ResponseWriteRequest"]["action"];
export type Response = Omit<Schemas["Response"], "payload"> & { payload: Payload };
export type ResponseWrite = Omit<Schemas["ResponseWriteRequest"], "payload" | "conflict"> & { payload: Payload; conflict?: string };
export type ActivityEntry = Omit<Schemas["ActivityEntryRequest"], "old" | "new"> & { old: Json; new: Json };
/** has_evidence: an assignment that an older page stored on this device has none. */
export type Assignment = { id: Id; item: Item; has_evidence?: boolean; response: Response };
export type GuidelineText = Schemas["GuidelineText"];
export type GuidelineVersion = Schemas["GuidelineVersion"];
export type Webhook = Schemas["Webhook"];
export type WebhookDelivery = Schemas["WebhookDelivery"];
export type WebhookEvent = NewWebhook["events"][number];
export type WebhookHost = Schemas["WebhookHost"];
export type StudyWebhooks = Schemas["StudyWebhooks"];
export type NewWebhook = Schemas["NewWebhookRequest"];
export type AddedWebhook = Schemas["AddedWebhook"];

export type Guidelines = Schemas["Guidelines"];
export type Participation = Schemas["Participation"];
type StoredBatch = Omit<Schemas["BatchAssignments"]["batch"], "guidelines"> & { guidelines?: GuidelineText | null };
/** available and guidelines: a batch that an older page stored on this device has none. */
export type BatchAssignments = Omit<Schemas["BatchAssignments"], "assignments" | "available" | "batch"> & {
  assignments: Assignment[];
  available?: number;
  batch: StoredBatch;
};
export type TakenAdjudication = BatchAssignments & { sight: Sight };
/** How many answers have each outcome of the kind, and how many questions were skipped. */
export type OutcomeCounts = Schemas["AssignedBatch"]["outcomes"];

export type StudyStatus = Schemas["StudyStatus"];
export type ExpertBatch = Schemas["AssignedBatch"];
export type StudySummary = Schemas["CoordinatedStudy"];
export type Study = Schemas["Study"];
export type CreatedStudy = Schemas["CreatedStudy"];
export type StudyRelease = Schemas["StudyRelease"];
export type QuestionSet = Schemas["QuestionSet"];
export type ImportResult = Schemas["StudyImport"];
export type StudyFormat = Schemas["StudyFormat"];
export type Measure = Schemas["Measure"];
export type Statistic = Omit<Measure, "name" | "label">;
export type Dashboard = Schemas["Dashboard"];
export type DashboardBatch = Schemas["BatchSummary"];
export type BatchAgreement = Schemas["Agreement"];
export type RecentResponse = Schemas["RecentRevision"];
export type ExpertProgress = Schemas["ExpertSummary"];
export type ExpertFlag = Schemas["ExpertFlag"];
export type StudyPlan = Schemas["StudyPlan"];
export type ImportedJudge = Schemas["ImportedJudge"];
export type Judges = Schemas["Judges"];
export type JudgedScoresFile = Schemas["JudgedScoresFile"];
export type ScoreCorrection = Schemas["ScoreCorrection"];
export type StoredScores = Schemas["StoredScores"];
export type StudyStatistics = Schemas["StudyStatistics"];
export type StatisticsSection = Schemas["StatisticsSection"];
export type StatisticsFigure = Schemas["StatisticsFigure"];
export type Reminder = Schemas["Reminder"];
export type SentReminders = Schemas["SentReminders"];
export type ExpertAnswer = Omit<Schemas["ExpertAnswer"], "payload"> & { payload: Payload };
export type Sight = Schemas["Sight"];
export type Adjudication = Omit<Schemas["Adjudication"], "first" | "revised"> & { first: ExpertAnswer; revised: ExpertAnswer | null };
type KindFields = { item: Item; initial: Payload; consensus: Json; adjudicated: Json; answers: ExpertAnswer[]; adjudication: Adjudication | null };
export type StudyQuestion = Omit<Schemas["AnsweredQuestion"], keyof KindFields> & KindFields;
export type StudyQuestionPage = Omit<Schemas["AnsweredQuestionPage"], "results"> & { results: StudyQuestion[] };

export type QueuedQuestion = Schemas["QueuedQuestion"];
export type QuestionAction = Schemas["QuestionDecisionRequest"]["action"];
export type Thread = Schemas["Thread"];

export type LeaderboardTrack = Schemas["Track"];
export type LeaderboardColumn = Schemas["Column"];
export type LeaderboardRow = Schemas["Row"];
export type LeaderboardCell = Schemas["Cell"];
export type LeaderboardTable = Schemas["Table"];
export type LeaderboardTrackDetail = Schemas["TrackDetail"];
export type Figure = Schemas["Figure"];
export type FigureAxis = Schemas["FigureAxis"];
export type FigureEntry = Schemas["FigureEntry"];
export type FigureValue = Schemas["FigureValue"];
export type SliceCorrelations = Schemas["SliceCorrelations"];
export type MetricCorrelations = Schemas["MetricCorrelations"];
