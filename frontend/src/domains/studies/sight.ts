import type { Sight } from "@/api/contract";
import { formatDateTime } from "@/lib/format";

/** 'blind', 'not blind': whether an adjudicator had seen the experts' answers. */
export function sightName({ state }: Sight): string {
  if (state === "") return "not recorded whether blind";
  return state === "blind" ? "blind" : "not blind";
}

/** Why a judgement is recorded as not blind, if it is. */
export function sightReason({ state, answers_read_at: at }: Sight): string {
  if (state === "partition") return "The experts’ common order is stored where you can read it, so this judgement is recorded as not blind.";
  if (state !== "answers_read") return "";
  return `You have seen answers to this question${at ? `, first on ${formatDateTime(at)}` : ""}. This judgement is recorded as not blind.`;
}
