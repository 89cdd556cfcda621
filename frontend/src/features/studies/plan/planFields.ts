import { listPlanning } from "@/study-kinds/registry";

/** Numbers of a plan as they are typed, all in the address, so that a plan can be sent. */
export interface PlanFields {
  judgement: string;
  raters: string;
  /** Empty where hours are given: then as many as fit are planned. */
  items: string;
  /** Of each expert. */
  hours: string;
  overlap: string;
  seconds: string;
  /** The share in percent that prefers one arm. */
  preference: string;
  /** Of a question. */
  candidates: string;
}

const DEFAULTS: PlanFields = { judgement: "pairs", raters: "6", items: "54", hours: "", overlap: "1", seconds: "45", preference: "80", candidates: "10" };
const MAX_JUDGEMENTS = 6000;
const SECONDS_PER_HOUR = 3600;

const LIMITS: Record<Exclude<keyof PlanFields, "judgement">, [low: number, high: number]> = {
  raters: [1, 1000], items: [1, MAX_JUDGEMENTS], hours: [0.01, 1000], overlap: [1, 1000], seconds: [0, 86_400], preference: [1, 99], candidates: [2, 50],
};
const WHOLE = new Set<keyof PlanFields>(["raters", "items", "overlap", "candidates"]);

/** Whether the hours of each expert decide how many items are planned. */
const isByHours = ({ items, hours }: PlanFields) => items.trim() === "" && hours.trim() !== "";

export function fieldsOf(search: URLSearchParams): PlanFields {
  const known = Object.fromEntries(Object.keys(DEFAULTS).flatMap((name) => search.has(name) ? [[name, search.get(name)]] : []));
  const fields: PlanFields = { ...DEFAULTS, ...known };
  return listPlanning().some(({ judgement }) => judgement === fields.judgement) ? fields : { ...fields, judgement: DEFAULTS.judgement };
}

export function planFaults(fields: PlanFields): Partial<Record<keyof PlanFields, string>> {
  const faults: Partial<Record<keyof PlanFields, string>> = {};
  const isOther = isByHours(fields) ? "items" : "hours";
  for (const [name, [low, high]] of Object.entries(LIMITS) as [keyof typeof LIMITS, [number, number]][]) {
    if (name === isOther) continue;
    const number = Number(fields[name]);
    const isFit = fields[name].trim() !== "" && number >= low && number <= high && (!WHOLE.has(name) || Number.isInteger(number));
    if (!isFit) faults[name] = `Enter a ${WHOLE.has(name) ? "whole number" : "number"} from ${low} to ${high}.`;
  }
  if (!faults.overlap && !faults.raters && Number(fields.overlap) > Number(fields.raters)) faults.overlap = "Enter at most the number of raters.";
  if (fields.items.trim() !== "" && fields.hours.trim() !== "") faults.hours = "Leave the hours or the number above empty.";
  const size = isByHours(fields) ? "hours" : "items";
  if (Object.keys(faults).length === 0 && judgementsOf(fields) > MAX_JUDGEMENTS) {
    faults[size] = `A plan has at most ${MAX_JUDGEMENTS} judgements. The command plan_study takes more.`;
  }
  return faults;
}

function judgementsOf(fields: PlanFields): number {
  if (!isByHours(fields)) return Number(fields.items) * Number(fields.overlap);
  return (Number(fields.raters) * Number(fields.hours) * SECONDS_PER_HOUR) / Number(fields.seconds);
}

export function toPlanRequest(fields: PlanFields) {
  const { judgement, preference, items, hours, ...numbers } = fields;
  const size = isByHours(fields) ? { hours_per_rater: Number(hours) } : { items: Number(items) };
  const values = Object.fromEntries(Object.entries(numbers).map(([name, text]) => [name, Number(text)]));
  return { judgement, preference: Number(preference) / 100, ...size, ...values };
}
