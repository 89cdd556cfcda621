import { listPlanning } from "@/study-kinds/registry";

/** Numbers of a plan as they are typed, all in the address, so that a plan can be sent. */
export interface PlanFields {
  judgement: string;
  raters: string;
  items: string;
  overlap: string;
  seconds: string;
  /** The share in percent that prefers one arm. */
  preference: string;
  /** Of a question. */
  candidates: string;
}

const DEFAULTS: PlanFields = { judgement: "pairs", raters: "6", items: "54", overlap: "1", seconds: "45", preference: "80", candidates: "10" };
const MAX_JUDGEMENTS = 6000;

const LIMITS: Record<Exclude<keyof PlanFields, "judgement">, [low: number, high: number]> = {
  raters: [1, 1000], items: [1, MAX_JUDGEMENTS], overlap: [1, 1000], seconds: [0, 86_400], preference: [1, 99], candidates: [2, 50],
};
const WHOLE = new Set<keyof PlanFields>(["raters", "items", "overlap", "candidates"]);

export function fieldsOf(search: URLSearchParams): PlanFields {
  const known = Object.fromEntries(Object.keys(DEFAULTS).flatMap((name) => search.has(name) ? [[name, search.get(name)]] : []));
  const fields: PlanFields = { ...DEFAULTS, ...known };
  return listPlanning().some(({ judgement }) => judgement === fields.judgement) ? fields : { ...fields, judgement: DEFAULTS.judgement };
}

export function planFaults(fields: PlanFields): Partial<Record<keyof PlanFields, string>> {
  const faults: Partial<Record<keyof PlanFields, string>> = {};
  for (const [name, [low, high]] of Object.entries(LIMITS) as [keyof typeof LIMITS, [number, number]][]) {
    const number = Number(fields[name]);
    const isFit = fields[name].trim() !== "" && number >= low && number <= high && (!WHOLE.has(name) || Number.isInteger(number));
    if (!isFit) faults[name] = `Enter a ${WHOLE.has(name) ? "whole number" : "number"} from ${low} to ${high}.`;
  }
  if (!faults.overlap && !faults.raters && Number(fields.overlap) > Number(fields.raters)) faults.overlap = "Enter at most the number of raters.";
  if (!faults.items && !faults.overlap && Number(fields.items) * Number(fields.overlap) > MAX_JUDGEMENTS) {
    faults.items = `A plan has at most ${MAX_JUDGEMENTS} judgements. The command plan_study takes more.`;
  }
  return faults;
}

export function toPlanRequest({ judgement, preference, ...numbers }: PlanFields) {
  const values = Object.fromEntries(Object.entries(numbers).map(([name, text]) => [name, Number(text)]));
  return { judgement, preference: Number(preference) / 100, ...values };
}
