import { useState } from "react";
import type { ExpertBatch } from "@/api/contract";
import { Button, ButtonLink } from "@/components/Button";
import { LabelledCheckbox } from "@/components/ChoiceGroup";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { batchName, nextBatch } from "@/domains/studies/batches";
import { consentError, useConsent } from "./consentMutation";

/** Consent to this wording of the text and guidelines above; then the first question opens. */
export function ConsentForm({ study, rows, guidelines }: { study: ExpertBatch["study"]; rows: ExpertBatch[]; guidelines: number }) {
  const [agreed, setAgreed] = useState(false);
  const [isLater, setLater] = useState(false);
  const next = nextBatch(rows, study.id);
  const first = next ? `/rank/${next.id}` : "/home";
  const consent = useConsent(study.id, first);
  if (!study.to_read) {
    return (
      <FormActions>
        <ButtonLink to={first} variant="primary" size="large">
          {next ? `Go on to ${batchName(next)}` : "To my batches"}
        </ButtonLink>
        <span>You have agreed to this.</span>
      </FormActions>
    );
  }
  if (isLater) return <DeclineLink onBack={() => setLater(false)} />;
  return (
    <Form onSubmit={() => agreed && consent.mutate(guidelines)}>
      {consent.isError && <Notice tone="bad">{consentError(consent.error)}</Notice>}
      <LabelledCheckbox isSelected={agreed} onChange={setAgreed}>
        I have read what is recorded and who sees it, and I take part in this study.
      </LabelledCheckbox>
      <FormActions>
        <Button type="submit" variant="primary" size="large" isDisabled={!agreed || consent.isPending}>
          {next ? `Begin ${batchName(next)}` : "Take part"}
        </Button>
        <Button variant="quiet" size="large" onPress={() => setLater(true)}>Not now</Button>
      </FormActions>
    </Form>
  );
}

/** Declining is as good as consenting, and nobody is notified. */
function DeclineLink({ onBack }: { onBack: () => void }) {
  return (
    <>
      <Notice>
        <p>
          Nothing was recorded, and nobody was notified. You can return to this page while the study is open. If you do not want to take part, you need not do anything.
        </p>
      </Notice>
      <FormActions>
        <ButtonLink to="/home" size="large">To my batches</ButtonLink>
        <Button variant="quiet" size="large" onPress={onBack}>Back to the consent form</Button>
      </FormActions>
    </>
  );
}
