import { useState } from "react";
import type { ExpertBatch } from "@/api/contract";
import { RadioChoiceGroup } from "@/components/ChoiceGroup";
import { Dialog } from "@/components/Dialog";
import { DialogForm } from "@/components/DialogForm";
import { errorMessage } from "@/lib/errorMessages";
import { UnsentAnswersError, useWithdraw } from "./useWithdraw";

const CHOICES = [
  { value: "keep", label: "Keep my answers", hint: "What you submitted still counts in the results. Nothing else is expected of you." },
  {
    value: "withdraw",
    label: "Withdraw my answers too",
    hint: "They are left out of counts, results and exports. The record of them stays stored, as the history cannot be changed.",
  },
] as const;

type Choice = (typeof CHOICES)[number]["value"];

/** Leaving a study needs no reason. Whoever leaves the last one goes to the account page, which has their data. */
export default function WithdrawDialog({ study, onClose }: { study: ExpertBatch["study"]; onClose: () => void }) {
  const [choice, setChoice] = useState<Choice | null>(null);
  const withdraw = useWithdraw(study, onClose);
  return (
    <Dialog title={`Withdraw from ${study.name}?`} isOpen onOpenChange={(open) => !open && onClose()} width={480}>
      <DialogForm
        onSubmit={() => withdraw.mutate(choice === "withdraw")}
        onCancel={onClose}
        submitLabel="Withdraw from the study"
        busyLabel="Withdrawing"
        isReady={choice !== null}
        mutation={withdraw}
        toMessage={(error) => (error instanceof UnsentAnswersError ? error.message : errorMessage(error))}
      >
        <p>The study leaves your page, and its coordinators see that you withdrew. You need not give a reason. Only a new invitation brings you back.</p>
        <RadioChoiceGroup label="Your answers" options={[...CHOICES]} value={choice} onChange={setChoice} />
      </DialogForm>
    </Dialog>
  );
}
