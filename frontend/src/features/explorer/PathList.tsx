import { EmptyState } from "@/components/EmptyState";
import { PathSteps } from "@/domains/graphs/PathSteps";
import { useGraphParams } from "@/domains/graphs/useGraphParams";
import { formatPlural } from "@/lib/format";
import { isEntityStep, stepName, type EdgeStep, type GraphPath, type Paths } from "./api";
import { EvidenceCard } from "./EvidenceCard";
import { evidenceLabel, hasEvidence } from "./labels";
import { PathDrawing } from "./PathDrawing";
import styles from "./Paths.module.css";
import { weightLabel } from "./pathWords";

/** Paths in order, each readable as a sentence and openable to what states it. */
export function PathList({ paths }: { paths: Paths }) {
  if (paths.paths.length === 0) {
    return (
      <EmptyState>
        {paths.hidden_through_hubs > 0
          ? "Every path goes through a hub, an entity with very many links."
          : "No path connects the two within this number of hops."}
      </EmptyState>
    );
  }
  return <ol className={styles.paths}>{paths.paths.map((path) => <PathRow key={path.rank} path={path} paths={paths} />)}</ol>;
}

function PathRow({ path, paths }: { path: GraphPath; paths: Paths }) {
  const where = useGraphParams();
  return (
    <li className={styles.path}>
      <span className={`${styles.rank} number`}>{path.rank}</span>
      <div className={styles.way}>
        <PathSteps path={path} where={where} />
        <Weight path={path} paths={paths} />
        <PathEvidence path={path} />
      </div>
    </li>
  );
}

/** The first path as a sentence and as a drawing, before any list. */
export function BestPath({ paths }: { paths: Paths }) {
  const where = useGraphParams();
  const [best] = paths.paths;
  if (!best) return null;
  return (
    <section aria-labelledby="best-path" className={styles.best}>
      <h2 id="best-path">Best path</h2>
      <PathSteps path={best} where={where} />
      <PathDrawing path={best} />
      <Weight path={best} paths={paths} />
      <PathEvidence path={best} />
    </section>
  );
}

/** The bar is the root of the share of the best, so that a small weight still shows. */
function Weight({ path, paths }: { path: GraphPath; paths: Paths }) {
  const best = Math.max(...paths.paths.map(({ weight }) => weight));
  const share = best > 0 ? path.weight / best : 0;
  return (
    <p className={styles.weight}>
      <span className={styles.bar} aria-hidden><span style={{ width: `${Math.max(2, share * 100)}%` }} /></span>
      {weightLabel(path.weight, paths.order, best)}
    </p>
  );
}

function PathEvidence({ path }: { path: GraphPath }) {
  const edges = path.steps.filter((step): step is EdgeStep => !isEntityStep(step));
  const every = { 1: "its edge", 2: "both edges" }[edges.length] ?? `all ${edges.length} edges`;
  const known = edges.filter(({ evidence }) => hasEvidence(evidence)).length;
  return (
    <details className={styles.why}>
      <summary>
        {known === edges.length
          ? `Evidence: ${every}`
          : `Evidence: ${known} of ${formatPlural(edges.length, "edge")}`}
      </summary>
      <ol className={styles.reasons}>
        {path.steps.map((step, at) => !isEntityStep(step) && (
          <li key={at}>
            <p><b>{stepName(path, at - 1)}</b> {step.phrase} <b>{stepName(path, at + 1)}</b>: {evidenceLabel(step.evidence)}</p>
            <EvidenceCard evidence={step.evidence} />
          </li>
        ))}
      </ol>
    </details>
  );
}
