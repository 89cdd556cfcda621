/** The API's nouns under short names, so that features never spell out generated paths. */
import type { components } from "./generated/schema";

type Schemas = components["schemas"];

export type Id = string;
export type Person = Schemas["NamedPerson"];
export type StudyRole = Schemas["StudyRole"];
export type Me = Schemas["SignedIn"];
export type Account = Schemas["Account"];

export type InvitationRole = Schemas["InvitationRole"];
export type InvitationState = Schemas["InvitationState"];
export type Invitation = Schemas["Invitation"];
export type StudyInvitation = Schemas["StudyInvitation"];
export type MadeInvitation = Schemas["MadeInvitation"];
export type MadeStudyInvitation = Schemas["MadeStudyInvitation"];
export type InvitationPreview = Schemas["FoundInvitation"];

export type State = Schemas["State"];
export type Action = Schemas["Action"];
export type Reason = Schemas["ReasonTag"];
export type UnsureReason = Schemas["UnsureReason"];
/** Ordered groups of candidate ids: a group of two or more is a tie. */
export type Ranking = Id[][];
export type Candidate = Schemas["Candidate"];
export type Question = Schemas["Question"];
export type Response = Schemas["Response"];
export type Assignment = Schemas["Assignment"];
export type BatchAssignments = Schemas["BatchAssignments"];
export type EventKind = Schemas["EventKind"];
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type ResponseEvent = Omit<Schemas["EventRequest"], "old" | "new"> & { old: Json; new: Json };
export type ResponseWrite = Omit<Schemas["WriteRequest"], "events" | "ranking"> & {
  ranking: Ranking;
  events: ResponseEvent[];
};

export type StudyStatus = Schemas["StudyStatus"];
export type ExpertBatch = Schemas["BatchOfMine"];
export type StudySummary = Schemas["StudyRow"];
export type Study = Schemas["Study"];
export type PartitionedStudy = Schemas["PartitionedStudy"];
export type Imported = Schemas["Imported"];
export type Stat = Schemas["Stat"];
export type NoValueReason = Schemas["NoValueReason"];
export type Board = Schemas["Board"];
export type BoardBatch = Schemas["BatchRow"];
export type BatchAgreement = Schemas["Agreement"];
export type RecentResponse = Schemas["Recent"];
export type ExpertProgress = Schemas["ExpertRow"];

export type PracticeQuestion = Schemas["Practice"];

export type LeaderboardTrack = Schemas["Track"];
export type LeaderboardColumn = Schemas["Column"];
export type LeaderboardSlice = Schemas["Slice"];
export type LeaderboardMetric = Schemas["Metric"];
export type LeaderboardRow = Schemas["Row"];
export type LeaderboardCell = Schemas["Cell"];
export type LeaderboardTable = Schemas["Table"];
export type LeaderboardTrackDetail = Schemas["TrackDetail"];
