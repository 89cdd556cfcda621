import { PathSteps } from "@/domains/graphs/PathSteps";
import { useGraphParams } from "@/domains/graphs/useGraphParams";
import { stepName, type GraphPath, type Paths } from "./api";
import { EvidenceDetails } from "./EvidenceCard";
import { evidenceLabel } from "./labels";
import { PathDrawing } from "./PathDrawing";
import { PathEvidence, WeightBar } from "./PathList";
import styles from "./Paths.module.css";
import { directEvidence, walksLabel, weightLabel, type topPaths } from "./pathWords";

/** What links both ends directly, in a line each. */
export function DirectLinks({ direct }: { direct: GraphPath[] }) {
  if (direct.length === 0) return null;
  return (
    <section aria-label="Direct link" className={styles.direct}>
      {direct.map((path) => <DirectLink key={path.rank} path={path} />)}
    </section>
  );
}

/** The first path other than a direct link, as a sentence and a drawing. */
export function BestPath({ top: { direct, main }, paths }: { top: ReturnType<typeof topPaths>; paths: Paths }) {
  if (!main) return null;
  return (
    <section aria-labelledby="best-path" className={styles.best}>
      <h2 id="best-path">{direct.length > 0 ? "Best indirect path" : "Best path"}</h2>
      <MainPath path={main} paths={paths} />
    </section>
  );
}

function DirectLink({ path }: { path: GraphPath }) {
  const where = useGraphParams();
  const evidence = directEvidence(path);
  return (
    <div className={styles.directLine}>
      <span>Directly linked:</span>
      <PathSteps path={path} where={where} />
      <EvidenceDetails evidence={evidence} summary={evidenceLabel(evidence)} />
    </div>
  );
}

function MainPath({ path, paths }: { path: GraphPath; paths: Paths }) {
  const where = useGraphParams();
  const best = Math.max(...paths.paths.map(({ weight }) => weight));
  const isProbability = paths.order === "probability" && path.weight > 0;
  return (
    <>
      <PathSteps path={path} where={where} />
      <PathDrawing path={path} />
      <WeightBar
        weight={path.weight}
        label={isProbability ? `one random walk in ${walksLabel(path.weight)} from ${stepName(path, 0)} takes this path` : weightLabel(path.weight, paths.order, best)}
      />
      {isProbability && <p className={styles.quiet}>A walk follows links at random. It shows how specific the path is, not whether a drug works.</p>}
      <PathEvidence path={path} />
    </>
  );
}
