import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate, useParams, useSearchParams } from "react-router";
import { Button } from "@/components/Button";
import { EmptyState } from "@/components/EmptyState";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { Page } from "@/components/Page";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SelectField } from "@/components/SelectField";
import { SkeletonRows } from "@/components/SkeletonRows";
import { TextField } from "@/components/TextField";
import { hasPrice, PRICE_UNKNOWN, priceText } from "@/domains/endpoints/labels";
import { endpointsQuery, type Endpoint } from "@/domains/endpoints/queries";
import { cutoffText } from "@/domains/evaluation/labels";
import { modelsQuery, releaseQuery, type Model } from "@/domains/evaluation/queries";
import { errorMessage, fieldMessage } from "@/lib/errorMessages";
import { formatList, formatPlural } from "@/lib/format";
import { needLabel } from "./labels";
import { useCreateRuns } from "./mutations";
import { tasksQuery, type ModelTask, type NewRun } from "./queries";
import styles from "./Runs.module.css";
import { hasValidSettings, isCount, TaskSettings, toSettings, type EnteredSettings, type Setting } from "./TaskSettings";

const NEW_MODEL = "";
const INTRO = "A language model answers the items, and its answers are scored like an upload. Five sample items are answered first and show what all would cost.";

/** Choose a task and an endpoint, then let the sample be answered. */
export function NewRunPage() {
  const { slug = "" } = useParams();
  const parent = { to: `/releases/${slug}`, label: "Release" };
  const tasks = useQuery(tasksQuery(slug));
  const endpoints = useQuery(endpointsQuery);
  const models = useQuery(modelsQuery);
  const skeleton = <SkeletonRows rows={4} />;
  return (
    <Page title="Run a model" parent={parent} intro={INTRO}>
      <QueryBoundary query={tasks} skeleton={skeleton} empty={<EmptyState>This track has no task for language models. Upload a file of predictions instead.</EmptyState>}>
        {(allTasks) => (
          <QueryBoundary query={endpoints} skeleton={skeleton} empty={<EmptyState>You may use no endpoint yet. An administrator adds them, or starts the server with MODEL=local.</EmptyState>}>
            {(allEndpoints) => (
              <QueryBoundary query={models} skeleton={skeleton}>
                {(known) => <RunForm release={slug} tasks={allTasks} endpoints={allEndpoints} models={known} />}
              </QueryBoundary>
            )}
          </QueryBoundary>
        )}
      </QueryBoundary>
    </Page>
  );
}

interface FormProps {
  release: string;
  tasks: ModelTask[];
  endpoints: Endpoint[];
  models: Model[];
}

function RunForm({ release, tasks, endpoints, models }: FormProps) {
  const [address, setAddress] = useSearchParams();
  const task = tasks.find(({ name }) => name === address.get("task")) ?? tasks.find(({ is_available: isAvailable }) => isAvailable) ?? tasks[0];
  const [endpointId, setEndpointId] = useState(endpoints[0]?.id ?? "");
  const endpoint = endpoints.find(({ id }) => id === endpointId);
  const [model, setModel] = useState(models[0]?.slug ?? NEW_MODEL);
  const [newModel, setNewModel] = useState("");
  const [mostItems, setMostItems] = useState("");
  const [temperature, setTemperature] = useState("");
  const [samples, setSamples] = useState("");
  const [split, setSplit] = useState<Split>("");
  const [cutoff, setCutoff] = useState("");
  const [entered, setEntered] = useState<EnteredSettings>({});
  const { data: contents } = useQuery(releaseQuery(release));
  const hasBoth = Boolean(contents?.items.dev && contents.items.test);
  const create = useCreateRuns();
  const navigate = useNavigate();
  if (!task || !endpoint) return null;
  const isPriced = hasPrice(endpoint);
  const uses = (name: Setting) => task.settings.includes(name);
  const cutoffFault = uses("cutoff") ? findCutoffFault(task, cutoff) : "";
  const count = uses("sample") ? Number(samples) || 1 : 1;
  const samplesFault = uses("sample") ? findSamplesFault(samples, temperature) : "";
  const isComplete = isTemperature(temperature) && samplesFault === "" && (model !== NEW_MODEL || newModel.trim() !== "") && isCount(mostItems) && hasValidSettings(task, entered) && cutoffFault === "" && (!uses("cutoff") || cutoff !== "" || task.cutoff !== null);
  const mayRun = task.is_available && isPriced && isComplete && !create.isPending;
  const send = () => {
    if (!mayRun) return;
    const settings = { ...(split && { split }), ...(mostItems && { max_items: Number(mostItems) }), ...(Number(temperature) > 0 && { temperature: Number(temperature) }), ...(uses("cutoff") && cutoff && { cutoff: Number(cutoff) }), ...toSettings(task, entered) };
    const run = { release, endpoint: endpoint.id, task: task.name, settings };
    create.mutate(
      { run, model, newModel: newModel.trim(), samples: count, onRegistered: setModel },
      { onSuccess: ({ id }) => void navigate(count > 1 ? "/runs" : `/runs/${id}`) },
    );
  };
  return (
    <div className={styles.form}>
      <Form onSubmit={send}>
        <SelectField
          label="Task"
          value={task.name}
          options={tasks.map(({ name, title }) => ({ value: name, label: title }))}
          onChange={(name) => setAddress({ task: name }, { replace: true })}
        />
        <TaskFacts task={task} />
        <SelectField
          label="Endpoint"
          value={endpoint.id}
          options={endpoints.map((one) => ({ value: one.id, label: endpointText(one) }))}
          onChange={setEndpointId}
          hint={isPriced ? endpoint.size_label && `A ${endpoint.size_label}.` : undefined}
          error={isPriced ? undefined : PRICE_UNKNOWN}
        />
        <p className={styles.quiet}><Link className="lone-link" to="/endpoints">What each endpoint can do and costs</Link></p>
        <SelectField
          label="Model on the board"
          value={model}
          options={[...models.map(({ slug, name }) => ({ value: slug, label: name })), { value: NEW_MODEL, label: "A new model" }]}
          onChange={setModel}
        />
        {model === NEW_MODEL && <TextField label="Name of the new model" hint="It is public once a result of it is." value={newModel} onChange={setNewModel} maxLength={120} />}
        <TextField
          label="Most items"
          hint="Empty: all. With fewer, the result is a sample and is not ranked."
          value={mostItems}
          onChange={setMostItems}
          inputMode="numeric"
          error={isCount(mostItems) ? fieldMessage(create.error, "settings.max_items") : "Enter a whole number above 0, or nothing."}
        />
        <TextField
          label="Temperature"
          hint="From 0 to 2. Empty: 0, the likeliest answer. The estimate is made at it."
          value={temperature}
          onChange={setTemperature}
          inputMode="decimal"
          error={isTemperature(temperature) ? fieldMessage(create.error, "settings.temperature") : "Enter a number from 0 to 2, or nothing."}
        />
        {uses("sample") && (
          <TextField
            label="Answers to each item"
            hint={samplesHint(count, task)}
            value={samples}
            onChange={setSamples}
            inputMode="numeric"
            error={samplesFault || fieldMessage(create.error, "samples")}
          />
        )}
        {hasBoth && <SelectField label="Items" value={split} options={SPLITS} onChange={(value) => setSplit(value as Split)} />}
        {uses("cutoff") && (
          <TextField
            label="Cut-off"
            hint={cutoffHint(task)}
            value={cutoff}
            onChange={setCutoff}
            inputMode="numeric"
            error={cutoffFault || fieldMessage(create.error, "settings.cutoff")}
          />
        )}
        <TaskSettings task={task} entered={entered} error={create.error} onChange={(change) => setEntered({ ...entered, ...change })} />
        {create.isError && <Notice tone="bad">{errorMessage(create.error)}</Notice>}
        <FormActions>
          <Button type="submit" variant="primary" size="large" isDisabled={!mayRun}>
            {create.isPending ? "Beginning" : "Answer five sample items"}
          </Button>
        </FormActions>
      </Form>
    </div>
  );
}

type Split = "" | NonNullable<NonNullable<NewRun["settings"]>["split"]>;

const SPLITS: { value: Split; label: string }[] = [
  { value: "", label: "Of both splits" },
  { value: "dev", label: "Of the dev split" },
  { value: "test", label: "Of the test split" },
];

function cutoffHint({ cutoff }: ModelTask): string {
  if (cutoff === null) return "A PMID or a year, in the unit of the graph's dates. The release has none, and this task needs one.";
  return `Empty: that of the release, ${cutoffText(cutoff)}. An earlier one may be set. The model is shown nothing later.`;
}

function findCutoffFault({ cutoff: most }: ModelTask, text: string): string {
  if (!/^[0-9]{0,10}$/.test(text)) return "Enter a whole number.";
  return most !== null && Number(text) > most ? `The cut-off of the release is ${most}. Enter it or an earlier one.` : "";
}

/** Active runs of a person. */
const MOST_SAMPLES = 10;

const isTemperature = (text: string) => text === "" || (/^[0-9]*\.?[0-9]+$/.test(text) && Number(text) <= 2);

function findSamplesFault(text: string, temperature: string): string {
  if (!isCount(text) || Number(text) > MOST_SAMPLES) return `Enter a whole number from 1 to ${MOST_SAMPLES}, or nothing.`;
  return Number(text) > 1 && !(Number(temperature) > 0) ? "Answers at temperature 0 are all equal. Enter a temperature above 0." : "";
}

function samplesHint(count: number, { compares_samples: isCompared }: ModelTask): string {
  if (count === 1) return `Empty: one. Several are not ranked${isCompared ? "; the board compares the most grounded one" : ""}.`;
  return `${count} runs, each with its own estimate and budget. Together they cost ${count} times one of them.`;
}

function TaskFacts({ task }: { task: ModelTask }) {
  if (!task.is_available) return <Notice tone="warn">{task.unavailable_reason}</Notice>;
  return (
    <p className={styles.quiet}>
      {task.description} It covers {formatPlural(task.items, "item")}
      {task.needs.length > 0 && `, and shows ${formatList(task.needs.map(needLabel))}`}.{" "}
      <Link to={`/prompts/${task.prompt.name}`}>Prompt, version {task.prompt.version}</Link>
    </p>
  );
}

function endpointText(endpoint: Endpoint): string {
  const price = priceText(endpoint);
  const unit = price.startsWith("$") ? " for a million tokens" : "";
  return `${endpoint.name}: ${endpoint.model}${price && `, ${price}${unit}`}`;
}
