/** The words of this screen for the server's codes. */
import type { Reason, State, UnsureReason } from "@/api/contract";
import { REASON_WORDS, UNSURE_WORDS } from "@/lib/answerWords";

export { REASON_WORDS, UNSURE_WORDS };

export const STATE_WORDS: Record<State, string> = {
  untouched: "not looked at",
  draft: "draft",
  confirmed: "agreed, order unchanged",
  changed: "order changed",
  not_sure: "not sure",
  skipped: "skipped",
};

export const REASONS = Object.keys(REASON_WORDS) as Reason[];
export const UNSURE_REASONS = Object.keys(UNSURE_WORDS) as UnsureReason[];

export function clock(at: string | number, seconds = false): string {
  return new Date(at).toLocaleTimeString("en-GB", {
    hour: "2-digit",
    minute: "2-digit",
    ...(seconds && { second: "2-digit" }),
  });
}

export function moment(at: string): string {
  const date = new Date(at);
  const today = date.toDateString() === new Date().toDateString();
  const day = date.toLocaleDateString("en-GB", { day: "numeric", month: "long" });
  return today ? `at ${clock(at)}` : `on ${day} at ${clock(at)}`;
}

export const count = (number: number, one: string, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;

/** The category as the file has it, with air after its colon. */
export const categoryWords = (category: string) => category.replace(/:(?=\S)/g, ": ");
