import { type SyncState } from "@/lib/offline";
import { clockWithSeconds, plural } from "@/lib/format";

export interface SaveWords {
  tone: "quiet" | "good" | "warn" | "bad";
  text: string;
  /** For narrow bars. */
  short: string;
}

/** What is saved, in one line: what happened, what is kept, and what comes next. */
export function saveWords(state: SyncState, now: number): SaveWords {
  const changes = plural(state.changes, "change");
  const kept = state.durable ? `${changes} kept` : `${changes} not kept on this device`;
  const held = new Set(state.queue.filter((item) => item.hold).map((item) => item.assignment)).size;
  switch (state.phase) {
    case "signed_out":
      return { tone: "bad", text: state.changes ? `Sign in again to send ${changes}` : "Sign in again", short: "Sign in" };
    case "other_account":
      return { tone: "bad", text: `Someone else is signed in, ${kept}`, short: "Not yours" };
    case "offline":
      return { tone: "warn", text: state.changes ? `Offline, ${kept}` : "Offline", short: "Offline" };
    case "retrying":
      return { tone: "bad", text: `Failed, trying again in ${secondsTo(state.retryAt, now)} s, ${kept}`, short: "Failed" };
    case "waiting":
    case "sending":
      return { tone: "quiet", text: "Saving", short: "Saving" };
    case "idle":
      if (held) return { tone: "bad", text: `${plural(held, "answer")} not sent`, short: "Not sent" };
      if (state.savedAt === null) return { tone: "quiet", text: "Nothing to save yet", short: "" };
      return { tone: "good", text: `Saved ${clockWithSeconds(state.savedAt)}`, short: "Saved" };
  }
}

function secondsTo(at: number | null, now: number): number {
  return at === null ? 0 : Math.max(0, Math.ceil((at - now) / 1000));
}
