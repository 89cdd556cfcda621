/** Sums and groups of the rows that the server has, and sentences about them. */
import { formatMoney } from "@/domains/endpoints/labels";
import { formatCount, formatInSentence, formatPlural } from "@/lib/format";
import type { ModelCost, Spending } from "./queries";

export interface Totals {
  runs: number;
  items: number;
  calls: number;
  tokensIn: number;
  tokensOut: number;
  cost: number;
}

export function addUp(rows: ModelCost[]): Totals {
  const sum = (value: (row: ModelCost) => number) => rows.reduce((total, row) => total + value(row), 0);
  return {
    runs: sum(({ runs }) => runs), items: sum(({ items }) => items), calls: sum(({ calls }) => calls),
    tokensIn: sum(({ tokens_in: tokens }) => tokens), tokensOut: sum(({ tokens_out: tokens }) => tokens),
    cost: sum(({ cost }) => Number(cost)),
  };
}

/** In the order in which they first come. */
function groupBy<Row>(rows: Row[], keyOf: (row: Row) => string): [string, Row[]][] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return [...groups];
}

export interface ModelTotals extends Totals {
  model: string;
  parameters: number | null;
}

/** The most expensive first. */
export function byModel(rows: ModelCost[]): ModelTotals[] {
  return groupBy(rows, ({ model }) => model)
    .map(([model, own]) => ({ model, parameters: own.find(({ parameters }) => parameters !== null)?.parameters ?? null, ...addUp(own) }))
    .toSorted((left, right) => right.cost - left.cost || right.tokensIn - left.tokensIn);
}

export interface Setting {
  name: string;
  title: string;
}

export interface ReleaseCosts {
  slug: string;
  title: string;
  settings: Setting[];
  /** Each with its row of each setting that it has run in. */
  models: { model: string; bySetting: Map<string, ModelCost> }[];
  rows: ModelCost[];
}

/** Models by settings, for each release: the shape of TruthHypo's Table 5. */
export function byRelease(rows: ModelCost[]): ReleaseCosts[] {
  return groupBy(rows, ({ release }) => release.slug).map(([slug, own]) => ({
    slug,
    title: own[0]?.release.title ?? slug,
    settings: settingsOf(own),
    models: groupBy(own, ({ model }) => model).map(([model, some]) => ({ model, bySetting: new Map(some.map((row) => [row.task.name, row])) })),
    rows: own,
  }));
}

/** The one that shows a model the least first: nothing, links, papers, both. */
function settingsOf(rows: ModelCost[]): Setting[] {
  return groupBy(rows, ({ task }) => task.name)
    .map(([name, own]) => ({ name, title: own[0]?.task.title ?? name, least: Math.min(...own.map((row) => row.tokens_in_per_item)) }))
    .toSorted((left, right) => left.least - right.least)
    .map(({ name, title }) => ({ name, title }));
}

export const tokensOfItem = ({ tokens_in_per_item: input, tokens_out_per_item: output }: ModelCost) => input + output;

export const rounded = (value: number) => formatCount(value < 10 ? Number(value.toFixed(1)) : Math.round(value));

/** What the bars show, as a sentence. */
export function costSentence({ rows }: ReleaseCosts): string {
  const sorted = rows.toSorted((left, right) => tokensOfItem(right) - tokensOfItem(left));
  const [most, least] = [sorted[0], sorted.at(-1)];
  if (!most || !least) return "";
  if (most === least) return `${nameOf(most)} takes ${rounded(most.tokens_in_per_item)} tokens in and ${rounded(most.tokens_out_per_item)} out for an item.`;
  const times = tokensOfItem(least) > 0 ? tokensOfItem(most) / tokensOfItem(least) : 0;
  const factor = times >= 1.05 ? `, ${Number(times.toPrecision(2))} times those of ${nameOf(least)}` : "";
  return `${nameOf(most)} takes the most tokens for an item: ${rounded(most.tokens_in_per_item)} in and ${rounded(most.tokens_out_per_item)} out${factor}.`;
}

const nameOf = ({ task, model }: ModelCost) => `‘${task.title}’ with ${model}`;

export function personName({ person }: Spending): string {
  return person ? person.name || person.email : "Commands of the server";
}

export interface PersonTotals {
  key: string;
  name: string;
  cost: number;
  calls: number;
}

/** The most expensive first. */
export function byPerson(rows: Spending[]): PersonTotals[] {
  return groupBy(rows, ({ person }) => person?.email ?? "")
    .map(([key, own]) => ({
      key,
      name: own[0] ? personName(own[0]) : key,
      cost: own.reduce((sum, { cost }) => sum + Number(cost), 0),
      calls: own.reduce((sum, { calls }) => sum + calls, 0),
    }))
    .toSorted((left, right) => right.cost - left.cost || right.calls - left.calls);
}

const inSentence = ({ key, name }: PersonTotals) => (key ? name : formatInSentence(name));

export function spendingSentence(people: PersonTotals[], days: number): string {
  const total = people.reduce((sum, { cost }) => sum + cost, 0);
  const [first] = people;
  const start = `${formatMoney(String(total))} were paid in ${formatPlural(days, "day")}`;
  if (!first || total === 0) return `${start}.`;
  return people.length === 1 ? `${start}, all by ${inSentence(first)}.` : `${start}, the most by ${inSentence(first)}: ${formatMoney(String(first.cost))}.`;
}
