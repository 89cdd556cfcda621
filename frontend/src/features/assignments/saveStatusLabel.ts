import { formatCount, formatTimeWithSeconds, formatPlural } from "@/lib/format";
import { type SyncState } from "@/lib/offline";

export interface SaveStatusLabel {
  tone: "quiet" | "good" | "warn" | "bad";
  text: string;
  /** For narrow bars. */
  short: string;
}

export interface Attempt {
  /** Something was not saved for long. */
  isSlow: boolean;
  /** The last attempt failed, and the next one is under way. */
  isRepeated: boolean;
}

const FIRST_ATTEMPT: Attempt = { isSlow: false, isRepeated: false };

/** The save state in one line: what happened, what is stored, and what comes next. */
export function saveStatusLabel(state: SyncState, now: number, { isSlow, isRepeated } = FIRST_ATTEMPT): SaveStatusLabel {
  const changes = formatPlural(state.changes, "change");
  const storage = state.isDurable ? `${changes} kept` : `${changes} not kept on this device`;
  const blocked = new Set(state.queue.filter((item) => item.blocked).map((item) => item.resource)).size;
  switch (state.phase) {
    case "signed_out":
      return { tone: "bad", text: state.changes ? `Sign in again to send ${changes}` : "Sign in again", short: "Sign in" };
    case "other_account":
      return { tone: "bad", text: `Someone else is signed in, ${storage}`, short: "Not yours" };
    case "offline":
      return { tone: "warn", text: state.changes ? `Offline, ${storage}` : "Offline", short: offlineLabel(state) };
    case "retrying":
      return { tone: "bad", text: `Failed, trying again in ${secondsUntil(state.retryAt, now)} s, ${storage}`, short: "Failed" };
    case "waiting":
    case "sending":
      if (isRepeated) return { tone: "bad", text: `Failed, trying again, ${storage}`, short: "Failed" };
      if (isSlow && state.changes > 0) return { tone: "warn", text: `Still saving, ${storage}`, short: "Still saving" };
      return { tone: "quiet", text: "Saving", short: "Saving" };
    case "idle":
      if (blocked) return { tone: "bad", text: `${formatPlural(blocked, "answer")} not sent`, short: "Not sent" };
      if (state.savedAt === null) return { tone: "quiet", text: "Nothing to save yet", short: "" };
      return { tone: "good", text: `Saved ${formatTimeWithSeconds(state.savedAt)}`, short: "Saved" };
  }
}

function offlineLabel({ changes, isDurable }: SyncState): string {
  if (changes === 0) return "Offline";
  return `Offline, ${formatCount(changes)} ${isDurable ? "saved" : "not saved"}`;
}

function secondsUntil(at: number | null, now: number): number {
  return at === null ? 0 : Math.max(0, Math.ceil((at - now) / 1000));
}
