import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { call } from "@/api/client";
import type { ExpertBatch } from "@/api/contract";
import { Button, ButtonLink } from "@/components/Button";
import { Tickable } from "@/components/Choice";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { batchesQuery, nameOf, nextBatch } from "@/lib/batches";
import { CONSENT_VERSION } from "@/lib/consent";
import { hasCode, sentenceOf } from "@/lib/problems";

interface Props {
  study: ExpertBatch["study"];
  rows: ExpertBatch[];
}

/** Her yes, to this wording of the text above; then her first question. */
export function Consent({ study, rows }: Props) {
  const [agreed, setAgreed] = useState(false);
  const [isLater, setLater] = useState(false);
  const next = nextBatch(rows, study.id);
  const first = next ? `/rank/${next.id}` : "/home";
  const consent = useConsent(study.id, first);
  if (!study.consent_needed) {
    return (
      <FormActions>
        <ButtonLink to={first} look="primary" size="large">
          {next ? `Go on to ${nameOf(next)}` : "To my batches"}
        </ButtonLink>
        <span>You have agreed to this.</span>
      </FormActions>
    );
  }
  if (isLater) return <NotNow onBack={() => setLater(false)} />;
  return (
    <Form onSubmit={() => agreed && consent.mutate()}>
      {consent.isError && <Notice tone="bad">{refusal(consent.error)}</Notice>}
      <Tickable isSelected={agreed} onChange={setAgreed}>
        I have read what is recorded and who sees it, and I take part in this study.
      </Tickable>
      <FormActions>
        <Button type="submit" look="primary" size="large" isDisabled={!agreed || consent.isPending}>
          {next ? `Begin ${nameOf(next)}` : "Take part"}
        </Button>
        <Button look="quiet" size="large" onPress={() => setLater(true)}>
          Not now
        </Button>
      </FormActions>
    </Form>
  );
}

/** Her no is as good as her yes, and is told to nobody. */
function NotNow({ onBack }: { onBack: () => void }) {
  return (
    <>
      <Notice>
        <p>
          Nothing was recorded, and nobody is told. Taking part is your choice: this page stays where it is, and you
          can come back to it on any day while the study is open. If you would rather not take part at all, there is
          nothing you need to do.
        </p>
      </Notice>
      <FormActions>
        <ButtonLink to="/home" size="large">
          To my batches
        </ButtonLink>
        <Button look="quiet" size="large" onPress={onBack}>
          I have decided: back to my answer
        </Button>
      </FormActions>
    </>
  );
}

function useConsent(study: string, first: string) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () =>
      call<void>(`/api/v1/studies/${study}/consent`, {
        method: "POST",
        json: { version: CONSENT_VERSION },
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: batchesQuery.queryKey });
      await navigate(first);
    },
  });
}

function refusal(error: unknown): string {
  if (!hasCode(error, "consent_outdated")) return sentenceOf(error);
  return "This text has been renewed since the page was opened. Load the page again and read it once more.";
}
