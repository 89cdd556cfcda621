import { useLocation } from "react-router";
import type { ExpertBatch, Guidelines, GuidelineVersion } from "@/api/contract";
import { Button, ButtonLink } from "@/components/Button";
import { FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { Page } from "@/components/Page";
import { GuidelineBody } from "@/domains/studies/guidelines/GuidelineBody";
import { GuidelineChanges } from "@/domains/studies/guidelines/GuidelineChanges";
import { consentError, useConsent } from "./consentMutation";
import styles from "./Introduction.module.css";

interface Props {
  study: ExpertBatch["study"];
  guidelines: Guidelines;
  newest: GuidelineVersion;
  first: string;
}

/** Between two questions: what changed in the guidelines, and all of them. */
export function NewGuidelines({ study, guidelines, newest, first }: Props) {
  const { state } = useLocation() as { state: { from?: string } | null };
  const consent = useConsent(study.id, state?.from ?? first);
  const before = guidelines.versions.find(({ number }) => number === guidelines.read);
  return (
    <Page
      title={before ? "The guidelines have changed" : "This study has guidelines now"}
      parent={{ to: "/home", label: "My batches" }}
      intro={study.name}
    >
      <Notice>Nothing you answered is lost. Read this; then the next question follows.</Notice>
      {before && (
        <section className={styles.section} aria-labelledby="changes-heading">
          <h2 id="changes-heading">What changed since version {before.number}</h2>
          <GuidelineChanges before={before.text} after={newest.text} />
        </section>
      )}
      <section className={styles.section} aria-labelledby="guidelines-heading">
        <h2 id="guidelines-heading">The guidelines</h2>
        <GuidelineBody guidelines={newest} />
      </section>
      {consent.isError && <Notice tone="bad">{consentError(consent.error)}</Notice>}
      <FormActions>
        <Button variant="primary" size="large" isDisabled={consent.isPending} onPress={() => consent.mutate(newest.number)}>
          I have read this, go on
        </Button>
        <ButtonLink to="/home" variant="quiet" size="large">Not now</ButtonLink>
      </FormActions>
    </Page>
  );
}
