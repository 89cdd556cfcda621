import { Suspense, useState } from "react";
import { useNavigate } from "react-router";
import { request } from "@/api/client";
import type { Adjudication, Id, StudyQuestion, StudyQuestionPage } from "@/api/contract";
import { Button, ButtonLink } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { DialogForm } from "@/components/DialogForm";
import { Skeleton } from "@/components/Skeleton";
import { TextField } from "@/components/TextField";
import { useCurrentUser } from "@/lib/currentUser";
import { useMutation } from "@/lib/useMutation";
import { findStudyKind } from "@/study-kinds/registry";
import styles from "./Adjudication.module.css";
import { adjudicationPath } from "./labels";

interface Props {
  study: StudyQuestionPage["study"];
  question: StudyQuestion;
  adjudication: Adjudication;
}

/** The answer that settles the question, and why it was revised; its adjudicator can do so once, with a reason. */
export function AdjudicatedAnswer({ study, question: { question_id: id, item }, adjudication }: Props) {
  const { first, reason, revised, assignment } = adjudication;
  const isOwn = useCurrentUser()?.id === first.expert.id;
  const path = adjudicationPath(study.id, id);
  const kind = findStudyKind(study.kind);
  return (
    <section className={styles.note} aria-label="Adjudicated answer">
      <h4>Adjudicated answer</h4>
      {kind && (
        <Suspense fallback={<Skeleton height={200} />}>
          <div className={styles.answer}><kind.ReadOnlyView item={item} answer={(revised ?? first).payload} isDemo={study.is_demo} /></div>
        </Suspense>
      )}
      {reason && <p>{revised ? "Revised" : "To be revised"} after the answers were shown: {reason}</p>}
      {isOwn && !reason && <RevisionButton assignment={assignment} path={path} />}
      {isOwn && reason && !revised && <ButtonLink to={path}>Revise my answer</ButtonLink>}
    </section>
  );
}

function RevisionButton({ assignment, path }: { assignment: Id; path: string }) {
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  const navigate = useNavigate();
  const reopen = useMutation({
    mutationFn: () => request<void>(`/api/v1/assignments/${assignment}/reopening`, { method: "POST", json: { reason: reason.trim() } }),
    onSuccess: () => navigate(path),
  });
  return (
    <>
      <Button onPress={() => setOpen(true)}>Revise my answer</Button>
      <Dialog title="Revise your answer, once?" isOpen={isOpen} onOpenChange={setOpen}>
        <DialogForm
          onSubmit={() => reopen.mutate()}
          onCancel={() => setOpen(false)}
          submitLabel="Revise my answer"
          busyLabel="Opening the question"
          isReady={reason.trim() !== ""}
          mutation={reopen}
        >
          <p>Your first answer stays beside the revised one, with this reason.</p>
          <TextField label="Reason" rows={3} maxLength={1000} value={reason} onChange={setReason} />
        </DialogForm>
      </Dialog>
    </>
  );
}
