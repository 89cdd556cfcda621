import { formatCount, formatList, formatPlural } from "@/lib/format";
import type { Outcome, Run, RunState } from "./queries";

export const RUN_STATES: Record<RunState, string> = {
  estimating: "Answering sample items",
  estimated: "Waits for a budget",
  running: "Running",
  paused: "Paused",
  ended: "Ended",
  cancelled: "Cancelled",
  failed: "Failed",
};

export const OUTCOMES: Record<Outcome, string> = {
  answered: "Answered",
  unreadable: "Unreadable answer",
  truncated: "Cut off",
  empty: "Empty answer",
  filtered: "Refused by a filter",
  unsupported: "Not supported",
  rejected: "Rejected by the server",
  rate_limited: "Rate limit",
  server_error: "Server error",
  timed_out: "Timed out",
  broken: "Broken off",
  lost: "Lost",
};

export const outcomeLabel = (outcome: string) => OUTCOMES[outcome as Outcome] ?? outcome;

const NEEDS: Record<string, string> = {
  link_chains: "paths of the graph between the two entities",
  papers: "papers about the two entities",
  candidates: "the first entities of a search",
  graph_schema: "the schema of the graph",
  definitions: "what the graph states about both entities",
  walked_graph: "relations and edges around the entities that it visits",
};

const ENDINGS: Record<string, string> = {
  unknown_root: "The graph lacks the root",
  no_relations: "No edge goes on",
  no_relation_chosen: "No relation was chosen",
  no_edges: "All neighbours were visited",
  no_node_chosen: "No entity was chosen",
  model_stopped: "The model stopped",
  depth: "All levels",
};

/** Why a guided exploration began no further level. */
export const endingLabel = (ending: string) => ENDINGS[ending] ?? ending;

export const needLabel = (need: string) => NEEDS[need] ?? need;

/** 'Answered 38, cut off 2.' */
export function outcomesText(outcomes: Run["outcomes"]): string {
  return Object.entries(outcomes)
    .toSorted(([, left], [, right]) => right - left)
    .map(([outcome, count]) => `${outcomeLabel(outcome)}: ${formatCount(count)}`)
    .join(", ");
}

/** '40 of 120 items; 2 failed, 3 from the cache'. */
export function progressText({ items, done, failed, retried, cached }: Run["progress"]): string {
  const parts = [
    failed > 0 && `${formatCount(failed)} failed`,
    retried > 0 && `${formatCount(retried)} at a second try`,
    cached > 0 && `${formatCount(cached)} from the cache`,
  ].filter((part) => part !== false);
  return `${formatCount(done)} of ${formatPlural(items, "item")}${parts.length > 0 ? `; ${parts.join(", ")}` : ""}`;
}

/** 'Sample 2, temperature 0.7'; empty where nothing differs from one answer at temperature 0. */
export function samplingText({ sample, temperature }: Run["settings"]): string {
  const text = [sample && `sample ${sample}`, temperature && `temperature ${temperature}`].filter(Boolean).join(", ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** 'Prompts have papers of Demo papers, 300 papers. Left out by the cut-off: 2 later, 1 without a date or PMID.'; without a cut-off the first sentence. */
export function papersText({ collection, papers, undated, later }: NonNullable<NonNullable<Run["estimate"]>["papers"]>): string {
  const start = `Prompts have papers of ${collection}, ${formatPlural(papers, "paper")}.`;
  if (later === null || undated === null) return start;
  return `${start} Left out by the cut-off: ${formatCount(later)} later, ${formatCount(undated)} without a date or PMID.`;
}

const SHOWN_CHARACTERS = 300;

/** 'label: inhibit; reason: …' of a JSON object, else the text; cut where it is long. */
export function answerText(text: string): string {
  const fields = readFields(text);
  const shown = fields ? fields.map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`).join("; ") : text;
  return shown.length > SHOWN_CHARACTERS ? `${shown.slice(0, SHOWN_CHARACTERS)}…` : shown;
}

function readFields(text: string): [string, unknown][] | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : null;
  } catch {
    return null;
  }
}

const FLAGS: Record<string, (answers: string) => string> = {
  token_count: (answers) => `The endpoint miscounts the tokens of ${answers}; the larger count is charged.`,
  unknown_cost: (answers) => `The endpoint did not count the tokens of ${answers}; the worst case is charged.`,
  over_limit: (answers) => `The endpoint ignored the limit of tokens in ${answers}, at a cost above what was reserved.`,
  cut_context: (answers) => `Papers, chains or ends of texts were left out of the prompts of ${answers}: the endpoint reads no more.`,
  cut_texts: (answers) => `Texts in the prompts of ${answers} were longer than the task takes; their ends were left out.`,
  repaired: (answers) => `The JSON of ${answers} was mended before it was read.`,
  plain_text: (answers) => `${answers} came as text in place of JSON.`,
};

/** What is remarkable about a run's answers, a sentence each. */
export function flagTexts(flags: Record<string, number>, models: string[]): string[] {
  const texts = Object.entries(FLAGS).flatMap(([flag, text]) => (flags[flag] ? [text(formatPlural(flags[flag], "answer"))] : []));
  return flags.model_name ? [`The endpoint names another model than was requested: ${formatList(models)}.`, ...texts] : texts;
}
