import type { components } from "@/api/generated/schema";
import { readListQuery } from "@/lib/readQuery";

export type PracticeQuestion = components["schemas"]["PracticeTask"];
export type PracticeCandidate = PracticeQuestion["item"]["candidates"][number];

const PRACTICE_URL = "/api/v1/practice-questions";

export const practiceQuery = readListQuery<PracticeQuestion>(["practice-questions"], PRACTICE_URL, { staleTime: Infinity });
