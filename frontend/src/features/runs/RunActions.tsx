import { useState } from "react";
import { Button } from "@/components/Button";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { TextField } from "@/components/TextField";
import { errorMessage, fieldMessage } from "@/lib/errorMessages";
import { useRunStep } from "./mutations";
import type { Run } from "./queries";
import styles from "./Runs.module.css";

const AMOUNT = /^\d{1,6}(\.\d{1,6})?$/;

/** The steps that the run allows: those of its owner. */
export function RunActions({ run }: { run: Run }) {
  const step = useRunStep(run.id);
  const allows = (name: string) => run.allowed.includes(name);
  if (run.allowed.length === 0) return null;
  return (
    <div className={styles.form}>
      {(allows("start") || allows("resume")) && <BudgetForm key={run.state} run={run} step={step} />}
      <div className={styles.row}>
        {allows("pause") && <Button onPress={() => step.mutate({ step: "pause" })} isDisabled={step.isPending}>Pause</Button>}
        {allows("cancel") && <CancelRun run={run} />}
      </div>
      {step.isError && !fieldMessage(step.error, "budget") && <Notice tone="bad">{errorMessage(step.error)}</Notice>}
    </div>
  );
}

/** A run never spends more than this. */
function BudgetForm({ run, step }: { run: Run; step: ReturnType<typeof useRunStep> }) {
  const name = run.allowed.includes("start") ? "start" : "resume";
  const [budget, setBudget] = useState(name === "start" ? suggestion(run) : trimmed(run.budget?.amount ?? "0"));
  const isAmount = AMOUNT.test(budget.trim());
  const begin = () => {
    if (isAmount && !step.isPending) step.mutate({ step: name, budget: budget.trim() });
  };
  return (
    <Form onSubmit={begin}>
      <TextField
        label="Budget in US dollars"
        hint="The run pauses before it spends more."
        value={budget}
        onChange={setBudget}
        inputMode="decimal"
        error={isAmount ? fieldMessage(step.error, "budget") : "Enter an amount such as 2.50."}
      />
      <FormActions>
        <Button type="submit" variant="primary" size="large" isDisabled={!isAmount || step.isPending}>
          {name === "start" ? "Answer all items" : "Resume"}
        </Button>
      </FormActions>
    </Form>
  );
}

/** Enough for the worst case. */
const suggestion = (run: Run) => trimmed(run.estimate?.worst_cost ?? "0");
const trimmed = (amount: string) => (amount.includes(".") ? amount.replace(/\.?0+$/, "") : amount) || "0";

function CancelRun({ run: { id } }: { run: Run }) {
  const [isOpen, setOpen] = useState(false);
  const step = useRunStep(id);
  return (
    <>
      <Button onPress={() => setOpen(true)}>Cancel</Button>
      <ConfirmDialog
        title="Cancel this run?"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        confirmLabel="Cancel the run"
        busyLabel="Cancelling"
        cancelLabel="Continue the run"
        onConfirm={() => step.mutate({ step: "cancel" }, { onSuccess: () => setOpen(false) })}
        mutation={step}
      >
        <p>It cannot be resumed, and nothing is submitted. What was spent stays spent.</p>
      </ConfirmDialog>
    </>
  );
}
