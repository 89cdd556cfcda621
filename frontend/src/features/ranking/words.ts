/** What this screen offers of the server's codes, and its words for a category. */
import type { Reason, UnsureReason } from "@/api/contract";
import { REASON_WORDS, UNSURE_WORDS } from "@/lib/answerWords";

export const REASONS = Object.keys(REASON_WORDS) as Reason[];
export const UNSURE_REASONS = Object.keys(UNSURE_WORDS) as UnsureReason[];

/** The category as the file has it, with air after its colon. */
export const categoryWords = (category: string) => category.replace(/:(?=\S)/g, ": ");
