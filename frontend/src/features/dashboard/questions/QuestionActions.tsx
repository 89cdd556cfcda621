import { ChevronDown } from "lucide-react";
import { useState } from "react";
import type { Id, QuestionAction, StudyQuestion } from "@/api/contract";
import { Button } from "@/components/Button";
import { LabelledCheckbox } from "@/components/ChoiceGroup";
import { Dialog } from "@/components/Dialog";
import { DialogForm } from "@/components/DialogForm";
import { Menu, MenuItem } from "@/components/Menu";
import { Notice } from "@/components/Notice";
import { TextField } from "@/components/TextField";
import { errorMessage } from "@/lib/errorMessages";
import { formatPlural } from "@/lib/format";
import { useDecide } from "./questionQueries";
import styles from "./Questions.module.css";

const ACTIONS: { action: QuestionAction; label: string; hint?: string; done: string }[] = [
  { action: "adjudicate", label: "Send to adjudication", done: "sent to adjudication" },
  { action: "leave", label: "Take back from adjudication", done: "taken back from adjudication" },
  { action: "release", label: "Release leases", hint: "Of unanswered questions, also begun adjudications.", done: "released" },
  { action: "exclude", label: "Exclude from the consensus", hint: "With a reason. No answer is deleted.", done: "excluded from the consensus" },
  { action: "include", label: "Include in the consensus again", done: "included again" },
];

interface Props {
  study: Id;
  shown: StudyQuestion[];
  selected: ReadonlySet<Id>;
  onSelect: (selected: ReadonlySet<Id>) => void;
}

/** What can be done to several questions at once. */
export function QuestionActions({ study, shown, selected, onSelect }: Props) {
  const [isExcluding, setExcluding] = useState(false);
  const decide = useDecide(study);
  const questions = [...selected];
  const send = (action: QuestionAction, reason = "") =>
    decide.mutate({ action, questions, reason }, {
      onSuccess: () => {
        setExcluding(false);
        onSelect(new Set());
      },
    });
  const areAllSelected = shown.length > 0 && shown.every(({ question_id: id }) => selected.has(id));
  const close = () => {
    setExcluding(false);
    decide.reset();
  };
  return (
    <div className={styles.actions}>
      <LabelledCheckbox isSelected={areAllSelected} onChange={(all) => onSelect(new Set(all ? shown.map(({ question_id: id }) => id) : []))}>
        Select this page
      </LabelledCheckbox>
      <Menu
        label="What to do with the selected questions"
        placement="bottom start"
        trigger={<Button isDisabled={questions.length === 0}>{formatPlural(questions.length, "selected", "selected")}<ChevronDown size={14} aria-hidden /></Button>}
      >
        {ACTIONS.map(({ action, label, hint }) => (
          <MenuItem key={action} id={action} label={label} {...(hint && { hint })} onAction={() => (action === "exclude" ? setExcluding(true) : send(action))} />
        ))}
      </Menu>
      <ActionResult decide={decide} isShown={!isExcluding} />
      <Dialog title={`Exclude ${formatPlural(questions.length, "question")}?`} isOpen={isExcluding} onOpenChange={(open) => !open && close()}>
        <ExclusionForm decide={decide} onExclude={(reason) => send("exclude", reason)} onCancel={close} />
      </Dialog>
    </div>
  );
}

type Decide = ReturnType<typeof useDecide>;

function ActionResult({ decide: { data, error, variables }, isShown }: { decide: Decide; isShown: boolean }) {
  if (error && isShown) return <Notice tone="bad">{errorMessage(error)}</Notice>;
  const done = ACTIONS.find(({ action }) => action === variables?.action)?.done;
  return <p role="status" className={styles.quiet}>{data && done && `${formatPlural(data.changed, "question")} ${done}.`}</p>;
}

function ExclusionForm({ decide, onExclude, onCancel }: { decide: Decide; onExclude: (reason: string) => void; onCancel: () => void }) {
  const [reason, setReason] = useState("");
  return (
    <DialogForm
      onSubmit={() => onExclude(reason.trim())}
      onCancel={onCancel}
      submitLabel="Exclude"
      busyLabel="Excluding"
      isReady={reason.trim() !== ""}
      mutation={decide}
    >
      <p>The common answer and new partitions leave them out. All answers stay, and you can include them again.</p>
      <TextField label="Reason" hint="Stands in the export." rows={2} maxLength={1000} value={reason} onChange={setReason} />
    </DialogForm>
  );
}
