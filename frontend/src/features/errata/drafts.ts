import type { Correction, ItemContent, ItemKey } from "./queries";

/** A correction while it is written. `answer` is JSON as typed. */
export interface Draft {
  id: string;
  key: ItemKey;
  content: ItemContent;
  action: Correction["action"];
  answer: string;
}

export function draftOf(key: ItemKey, content: ItemContent, answer: unknown): Draft {
  const text = answer ? JSON.stringify(answer) : "";
  return { id: JSON.stringify(key), key, content, action: "withdraw", answer: text };
}

/** What can be sent, and the drafts whose answer is not a JSON object. */
export function readDrafts(drafts: Draft[]): { corrections: Correction[]; faulty: string[] } {
  const corrections: Correction[] = [];
  const faulty: string[] = [];
  for (const { id, key, action, answer } of drafts) {
    if (action === "withdraw") corrections.push({ key, action });
    else {
      const value = parseObject(answer);
      if (value) corrections.push({ key, action, answer: value });
      else faulty.push(id);
    }
  }
  return { corrections, faulty };
}

function parseObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
