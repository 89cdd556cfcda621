import { useQuery } from "@tanstack/react-query";
import { SelectField } from "@/components/SelectField";
import { TextField } from "@/components/TextField";
import { collectionsQuery } from "@/domains/evaluation/groundedness";
import { fieldMessage } from "@/lib/errorMessages";
import { formatPlural } from "@/lib/format";
import type { ModelTask } from "./queries";

export type Setting = ModelTask["settings"][number];
/** As they are entered; what is empty is left to the server. */
export type EnteredSettings = Partial<Record<Setting, string>>;

interface Choice {
  name: Setting;
  label: string;
  options: { value: string; label: string }[];
}

const CHOICES: Choice[] = [
  { name: "paper_ranker", label: "Search for papers", options: [{ value: "", label: "Words (BM25)" }, { value: "hybrid", label: "Words and vectors" }] },
  {
    name: "ranker",
    label: "Search whose first entities are put in order",
    options: [
      { value: "", label: "Words (BM25)" },
      { value: "vss", label: "Vectors" },
      { value: "multi-vss", label: "Several vectors of an entity" },
      { value: "hybrid", label: "Words and vectors" },
    ],
  },
  { name: "without_summaries", label: "Descriptions of earlier levels", options: [{ value: "", label: "In later prompts" }, { value: "true", label: "Left out" }] },
  { name: "without_weights", label: "Weights of edges", options: [{ value: "", label: "In the prompts" }, { value: "true", label: "Left out" }] },
];

interface Count {
  name: Setting;
  label: string;
  hint: string;
  /** Not above 0 alone. */
  isFromZero?: boolean;
}

/** Of a guided exploration. */
const COUNTS: Count[] = [
  { name: "relations", label: "Relations of an entity", hint: "That are followed at most. Empty: 5." },
  { name: "edges", label: "Edges of an entity", hint: "That are offered at most. Empty: 10." },
  { name: "width", label: "Entities of a level", hint: "That are visited at most, up to 30. Empty: 30." },
  { name: "depth", label: "Levels", hint: "From 1 to 3. Empty: 3." },
  { name: "seed", label: "Seed", hint: "Of the draws of edges without a weight. Empty: 0.", isFromZero: true },
];

export const isCount = (text: string) => /^([1-9][0-9]{0,8})?$/.test(text);
const isValid = ({ isFromZero }: Count, text: string) => isCount(text) || (isFromZero === true && /^[0-9]{1,15}$/.test(text));

const usedBy = <T extends { name: Setting }>(task: ModelTask, all: T[]) => all.filter(({ name }) => task.settings.includes(name));

export const hasValidSettings = (task: ModelTask, entered: EnteredSettings) => usedBy(task, COUNTS).every((one) => isValid(one, entered[one.name] ?? ""));

/** What the task uses of what was entered, as the API has it. */
export function toSettings(task: ModelTask, entered: EnteredSettings): Record<string, unknown> {
  const used = Object.entries(entered).filter(([name, text]) => text !== "" && task.settings.some((one) => one === name));
  const numbers = new Set<string>(COUNTS.map(({ name }) => name));
  const read = (name: string, text: string) => (numbers.has(name) ? Number(text) : name.startsWith("without_") ? true : text);
  return Object.fromEntries(used.map(([name, text]) => [name, read(name, text)]));
}

interface Props {
  task: ModelTask;
  entered: EnteredSettings;
  error: unknown;
  onChange: (change: EnteredSettings) => void;
}

/** The fields that only some tasks have. */
export function TaskSettings({ task, entered, error, onChange }: Props) {
  const refusal = (name: Setting) => fieldMessage(error, `settings.${name}`);
  return (
    <>
      {task.settings.includes("papers") && <PapersField value={entered.papers ?? ""} error={refusal("papers")} onChange={(papers) => onChange({ papers })} />}
      {usedBy(task, CHOICES).map(({ name, label, options }) => (
        <SelectField key={name} label={label} value={entered[name] ?? ""} options={options} onChange={(value) => onChange({ [name]: value })} error={refusal(name)} />
      ))}
      {usedBy(task, COUNTS).map((one) => (
        <TextField
          key={one.name}
          label={one.label}
          hint={one.hint}
          value={entered[one.name] ?? ""}
          onChange={(value) => onChange({ [one.name]: value })}
          inputMode="numeric"
          error={isValid(one, entered[one.name] ?? "") ? refusal(one.name) : `Enter a whole number${one.isFromZero ? "" : " above 0"}, or nothing.`}
        />
      ))}
    </>
  );
}

function PapersField({ value, error, onChange }: { value: string; error: string | undefined; onChange: (papers: string) => void }) {
  // Prompts and answers of a run may be published.
  const collections = (useQuery(collectionsQuery).data ?? []).filter((one) => one.is_public);
  const options = [{ value: "", label: "The largest public collection" }, ...collections.map((one) => ({ value: one.slug, label: `${one.name}, ${formatPlural(one.papers, "paper")}` }))];
  return <SelectField label="Papers" value={value} options={options} onChange={onChange} error={error} />;
}
