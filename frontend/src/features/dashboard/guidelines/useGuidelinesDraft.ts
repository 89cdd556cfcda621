import { useState } from "react";
import type { GuidelineVersion, Id } from "@/api/contract";
import { tabStorage } from "@/lib/storage";

interface Draft {
  text: string;
  /** The version that it was begun from, 0 without any. */
  base: number;
}

const draftKey = (study: Id) => `guidelines-draft ${study}`;

function readDraft(study: Id): Draft | null {
  const stored = tabStorage.read(draftKey(study));
  return stored === null ? null : (JSON.parse(stored) as Draft);
}

/** The text of the next version, which outlives the page in this browser tab. `isOutdated`: a colleague has published since. */
export function useGuidelinesDraft(study: Id, [newest, ...older]: GuidelineVersion[]) {
  const published: Draft = { text: newest?.text ?? "", base: newest?.number ?? 0 };
  const [draft, setDraft] = useState(() => readDraft(study) ?? published);
  const base = [newest, ...older].find((version) => version?.number === draft.base)?.text ?? "";
  const isUnchanged = draft.text === base || draft.text === published.text;
  if (isUnchanged && draft.base !== published.base) {
    tabStorage.remove(draftKey(study));
    setDraft(published);
  }
  const setText = (text: string) => {
    const next = { ...draft, text };
    setDraft(next);
    if (text === base) tabStorage.remove(draftKey(study));
    else tabStorage.write(draftKey(study), JSON.stringify(next));
  };
  return { text: draft.text, setText, isOutdated: draft.base !== published.base && !isUnchanged };
}
