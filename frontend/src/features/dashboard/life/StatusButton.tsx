import { useState } from "react";
import type { Id, StudyStatus } from "@/api/contract";
import { Button } from "@/components/Button";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { useChangeStudy } from "../queries";

const OPENING = { to: "open", button: "Open the study", action: "Open it", doing: "Opening" } as const;

/** The usual next step of each state; the settings have the others. */
const STEPS = {
  draft: {
    ...OPENING,
    title: "Open this study?",
    text: "Experts see their questions and can answer. It does not become a draft again.",
  },
  open: {
    to: "closed",
    button: "Close the study",
    title: "Close this study?",
    text: "Experts can still read their answers, but nobody can answer. What they have not sent stays on their devices. Once one of them is shown how others answered, it cannot be opened again.",
    action: "Close it",
    doing: "Closing",
  },
  paused: {
    ...OPENING,
    title: "Open this study again?",
    text: "Experts can answer and change their answers again. What they answered during the pause is sent.",
  },
  closed: {
    ...OPENING,
    title: "Open this study again?",
    text: "Experts can answer and change their answers again.",
  },
} as const;

interface Props {
  study: Id;
  status: Exclude<StudyStatus, "frozen">;
  moves: StudyStatus[];
}

/** Nothing where the study cannot take this step: imported answers stay closed. */
export function StatusButton({ study, status, moves }: Props) {
  const [isConfirming, setConfirming] = useState(false);
  const change = useChangeStudy(study);
  const step = STEPS[status];
  const close = () => {
    setConfirming(false);
    change.reset();
  };
  if (!moves.includes(step.to)) return null;
  return (
    <>
      <Button onPress={() => setConfirming(true)}>{step.button}</Button>
      <ConfirmDialog
        title={step.title}
        isOpen={isConfirming}
        onClose={close}
        confirmLabel={step.action}
        busyLabel={step.doing}
        onConfirm={() => change.mutate({ status: step.to }, { onSuccess: close })}
        mutation={change}
      >
        <p>{step.text}</p>
      </ConfirmDialog>
    </>
  );
}
