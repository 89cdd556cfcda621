import { useState } from "react";
import { Button } from "@/components/Button";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { TextField } from "@/components/TextField";
import { errorMessage, fieldMessage } from "@/lib/errorMessages";
import { AMOUNT_HINT, isAmount } from "./budgets";

interface Props {
  budget: { amount: string; spent: string };
  resume: { isPending: boolean; isError: boolean; error: Error | null; mutate: (budget: string) => void };
}

/** A request that failed goes on with another budget. */
export function ResumeForm({ budget, resume }: Props) {
  const [amount, setAmount] = useState(budget.amount);
  const mayResume = isAmount(amount) && !resume.isPending;
  return (
    <Form onSubmit={() => mayResume && resume.mutate(amount.trim())}>
      <TextField
        label="Budget in US dollars, with what is spent"
        hint={`${budget.spent} is spent. What models answered is not requested again.`}
        value={amount}
        onChange={setAmount}
        inputMode="decimal"
        error={isAmount(amount) ? fieldMessage(resume.error, "budget") : AMOUNT_HINT}
      />
      {resume.isError && !fieldMessage(resume.error, "budget") && <Notice tone="bad">{errorMessage(resume.error)}</Notice>}
      <FormActions><Button type="submit" variant="primary" isDisabled={!mayResume}>Resume</Button></FormActions>
    </Form>
  );
}
