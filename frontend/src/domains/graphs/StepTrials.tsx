import { ExternalLink } from "@/components/ExternalLink";
import { publicationLabel } from "./evidenceLabels";
import type { EdgeStep } from "./graphQueries";
import styles from "./PathSteps.module.css";

const MOST_SHOWN = 2;
const TRIAL = /^(CLINICALTRIALS|NCT):NCT\d{8}$/i;

/** The registered trials of an edge; a sentence or a drawing has space for two of them. */
export function StepTrials({ evidence }: Pick<EdgeStep, "evidence">) {
  const trials = evidence?.publications.filter(({ curie, url }) => url && TRIAL.test(curie)) ?? [];
  if (trials.length === 0) return null;
  const rest = trials.length - MOST_SHOWN;
  return (
    <span className={styles.trials}>
      {" (trial "}
      {trials.slice(0, MOST_SHOWN).map(({ curie, url }, at) => (
        <span key={curie}>{at > 0 && ", "}<ExternalLink href={url ?? ""}>{publicationLabel(curie)}</ExternalLink></span>
      ))}
      {rest > 0 && `, ${rest} more`}
      {") "}
    </span>
  );
}
