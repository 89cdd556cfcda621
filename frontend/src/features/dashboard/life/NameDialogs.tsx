import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { request } from "@/api/client";
import type { CreatedStudy, Dashboard } from "@/api/contract";
import { Dialog } from "@/components/Dialog";
import { DialogForm } from "@/components/DialogForm";
import { TextField } from "@/components/TextField";
import { hasEnded, JOBS_KEY, type Job } from "@/domains/jobs/jobs";
import { dashboardKey } from "@/domains/studies/dashboardKey";
import { useStudyMutation } from "../queries";
import { FreezingOutcome, FreezingProgress } from "./FreezingNotice";
import { useFreezing } from "./useFreezing";

interface Props {
  study: Dashboard["study"];
  onClose: () => void;
}

export function CloneDialog({ study, onClose }: Props) {
  const [name, setName] = useState(`${study.name} (copy)`);
  const navigate = useNavigate();
  const clone = useStudyMutation(study.id, () =>
    request<CreatedStudy["study"]>(`/api/v1/studies/${study.id}/clone`, { method: "POST", json: { name } }));
  const submit = () => clone.mutate(undefined, { onSuccess: ({ id }) => void navigate(`/studies/${id}`) });
  return (
    <Dialog title="Clone the study" isOpen onOpenChange={(open) => !open && onClose()} width={480}>
      <DialogForm onSubmit={submit} onCancel={onClose} submitLabel="Create the draft" busyLabel="Creating" isReady={name.trim() !== ""} mutation={clone}>
        <p>The draft has the same design, questions and texts. No expert and no answer is copied.</p>
        <p>Only the owner of the questions can clone a study, and none with a rule on who may judge it.</p>
        <TextField label="Name of the new study" value={name} onChange={setName} maxLength={200} />
      </DialogForm>
    </Dialog>
  );
}

export function FreezeDialog({ study, onClose }: Props) {
  const [slug, setSlug] = useState(() => toSlug(study.name));
  const queries = useQueryClient();
  const freeze = useStudyMutation(study.id, async () => {
    await request<Job>(`/api/v1/studies/${study.id}/release`, { method: "POST", json: { slug } });
    await queries.invalidateQueries({ queryKey: JOBS_KEY });
  });
  const job = useFreezing(study.id);
  useClosedOnSuccess(study.id, job, onClose);
  const isReady = SLUG.test(slug);
  if (job && !hasEnded(job)) {
    return (
      <Dialog title="Freezing the study" isOpen onOpenChange={(open) => !open && onClose()} width={480}>
        <p>You can close this: the study is frozen in the background, and the dashboard shows how it ends.</p>
        <FreezingProgress study={study} job={job} />
      </Dialog>
    );
  }
  return (
    <Dialog title="Freeze this study for good?" isOpen onOpenChange={(open) => !open && onClose()} width={480}>
      <DialogForm onSubmit={() => freeze.mutate()} onCancel={onClose} submitLabel="Freeze it" busyLabel="Freezing" isReady={isReady} mutation={freeze}>
        <p>Its answers, texts and members never change again, and it is never opened again. Its statistics are stored as they are now.</p>
        {job && <FreezingOutcome job={job} />}
        <TextField label="Name of the release" hint="Papers cite it: letters, digits, hyphens and underscores." value={slug} error={isReady ? undefined : NAME_ERROR} onChange={setSlug} maxLength={MAX_SLUG_LENGTH} />
      </DialogForm>
    </Dialog>
  );
}

function useClosedOnSuccess(study: string, job: Job | undefined, onClose: () => void) {
  const queries = useQueryClient();
  const isFrozen = job?.state === "succeeded";
  useEffect(() => {
    if (!isFrozen) return;
    void queries.invalidateQueries({ queryKey: dashboardKey(study) });
    onClose();
  }, [queries, study, isFrozen, onClose]);
}

/** As the server has them. */
const MAX_SLUG_LENGTH = 80;
const SLUG = /^[\w-]+$/;

const NAME_ERROR = "Enter a name of letters, digits, hyphens and underscores, without spaces.";

function toSlug(name: string): string {
  const plain = name.normalize("NFKD").replaceAll(/[̀-ͯ]/g, "").toLowerCase();
  return plain.replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "").slice(0, MAX_SLUG_LENGTH);
}
