import { useState } from "react";
import { Button, ButtonLink } from "@/components/Button";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { Dialog } from "@/components/Dialog";
import { formatPlural } from "@/lib/format";
import type { Release } from "@/domains/evaluation/queries";
import { DeleteDraft } from "./DeleteDraft";
import { EditRelease } from "./EditRelease";
import { useChangeState, type TargetState } from "./mutations";
import styles from "./Releases.module.css";

interface Step {
  to: TargetState;
  button: string;
  title: string;
  text: string;
  confirm: string;
  busy: string;
}

const OPEN: Step = {
  to: "open", button: "Open", title: "Open this release?", confirm: "Open it", busy: "Opening",
  text: "Everyone sees it. Researchers submit predictions from its opening date, or at once if it has none.",
};
const REOPEN: Step = {
  ...OPEN, button: "Open again", title: "Open this release again?",
  text: "Exact scores were shown since it closed. Who submits now may have learned from them.",
};
const CLOSE: Step = {
  to: "closed", button: "Close", title: "Close this release?", confirm: "Close it", busy: "Closing",
  text: "It takes no more predictions. Submitters see their exact scores, and the board shows final entries.",
};
const DEPRECATE: Step = {
  to: "deprecated", button: "Deprecate", title: "Deprecate this release?", confirm: "Deprecate it", busy: "Deprecating",
  text: "It takes no predictions and cannot be opened again. Its page and its board stay.",
};

const STEPS: Record<Release["state"], Step[]> = {
  draft: [OPEN],
  announced: [CLOSE, DEPRECATE],
  open: [CLOSE, DEPRECATE],
  closed: [REOPEN, DEPRECATE],
  deprecated: [],
};

/** What its organisers can do with a release now. */
export function StateActions({ release }: { release: Release }) {
  const [step, setStep] = useState<Step | null>(null);
  const [isEditing, setEditing] = useState(false);
  const change = useChangeState(release.slug);
  return (
    <div className={styles.tools} role="group" aria-label="Actions of the organiser">
      {STEPS[release.state].filter((one) => one !== REOPEN || !release.is_sealed).map((one, at) => (
        <Button key={one.to} variant={at === 0 && release.state === "draft" ? "primary" : "plain"} onPress={() => setStep(one)}>{one.button}</Button>
      ))}
      <Button onPress={() => setEditing(true)}>Edit</Button>
      {release.state === "draft" && !release.corrects && <DeleteDraft slug={release.slug} version={release.version} />}
      {release.state !== "draft" && <ButtonLink to={`/releases/${release.slug}/reports`}>{formatPlural(release.open_reports ?? 0, "open report")}</ButtonLink>}
      {release.state !== "draft" && !release.corrected_by && !release.is_sealed && <ButtonLink to={`/releases/${release.slug}/correct`}>Correct the release</ButtonLink>}
      {step && (
        <ConfirmDialog
          title={step.title}
          isOpen
          onClose={() => {
            setStep(null);
            change.reset();
          }}
          confirmLabel={step.confirm}
          busyLabel={step.busy}
          onConfirm={() => change.mutate({ state: step.to, version: release.version }, { onSuccess: () => setStep(null) })}
          mutation={change}
        >
          <p>{step.text}</p>
        </ConfirmDialog>
      )}
      <Dialog title="Edit the release" isOpen={isEditing} onOpenChange={setEditing} width={720}>
        <EditRelease slug={release.slug} onClose={() => setEditing(false)} />
      </Dialog>
    </div>
  );
}
