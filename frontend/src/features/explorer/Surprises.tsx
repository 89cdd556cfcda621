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
              Two uses of one drug; in bold is the one that few drugs like it have. The graph has no dates: it may be the older.
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
      <p className={styles.uses}>
        <Link to={entityUrl(where, usual.id)}>{usual.name}</Link>
        <span>and also</span>
        <Link to={entityUrl(where, distant.id)}><b>{distant.name}</b></Link>
      </p>
      {mechanism && <PathDrawing path={mechanism} isSmall />}
      <p className={styles.quiet}>
        {step.phrase} {distant.name}{hasEvidence(step.evidence) && `: ${evidenceLabel(step.evidence)}`}
      </p>
      <Link to={pathsUrl(where, usual.id, [distant.id])} aria-label={`Paths between the two diseases, ${usual.name} and ${distant.name}`}>
        Paths between the two diseases
      </Link>
    </li>
  );
}
