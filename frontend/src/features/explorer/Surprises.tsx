import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { evidenceLabel, hasEvidence } from "@/domains/graphs/evidenceLabels";
import { entityUrl, pathsUrl } from "@/domains/graphs/graphUrls";
import { useGraphParams } from "@/domains/graphs/useGraphParams";
import { surprisesQuery, type Surprise } from "./api";
import styles from "./Landing.module.css";
import { PathDrawing } from "./PathDrawing";
import { SurpriseUses } from "./SurpriseUses";
import { orderExplanation, reasonSentence } from "./surpriseWords";

/** Drugs whose second use is far from the first, computed from the graph's own edges. */
export function Surprises() {
  const where = useGraphParams();
  const surprises = useQuery(surprisesQuery(where));
  return (
    <section aria-labelledby="surprises" className={styles.section}>
      <h2 id="surprises">Start from a surprise</h2>
      <QueryBoundary query={surprises} skeleton={<div className={styles.waiting}><SkeletonRows rows={2} height={172} /></div>}>
        {({ results, uses }) => results.length === 0 ? (
          <p className={styles.quiet}>
            {uses === 0
              ? "This graph does not state which drug treats which disease, so it shows no surprising uses."
              : "No drug of this graph has two uses that are far from each other."}
          </p>
        ) : (
          <>
            <p className={styles.quiet}>
              Each drug has two uses; few similar drugs have the one in bold. {orderExplanation(results)}
            </p>
            <ul className={styles.surprises}>{results.map((one) => <SurpriseCard key={one.drug.id} surprise={one} />)}</ul>
          </>
        )}
      </QueryBoundary>
    </section>
  );
}

function SurpriseCard({ surprise }: { surprise: Surprise }) {
  const where = useGraphParams();
  const { drug, usual, distant, distant_step: step, mechanism } = surprise;
  return (
    <li className={styles.surprise}>
      <h3><Link to={entityUrl(where, drug.id)}>{drug.name}</Link></h3>
      <p className={styles.uses}><SurpriseUses surprise={surprise} /></p>
      <p>{reasonSentence(surprise)}</p>
      {mechanism && <PathDrawing path={mechanism} isSmall />}
      <p className={styles.quiet}>
        {step.phrase} {distant.name}{hasEvidence(step.evidence) && `: ${evidenceLabel(step.evidence)}`}
      </p>
      <p className={styles.ways}>
        <Link to={pathsUrl(where, drug.id, [distant.id])}>Paths from {drug.name} to {distant.name}</Link>
        <Link to={pathsUrl(where, usual.id, [distant.id])} aria-label={`Paths between the two diseases, ${usual.name} and ${distant.name}`}>
          Paths between the two diseases
        </Link>
      </p>
    </li>
  );
}
