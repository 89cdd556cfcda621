import { EmptyState } from "@/components/EmptyState";
import { PathSteps } from "@/domains/graphs/PathSteps";
import { useGraphParams } from "@/domains/graphs/useGraphParams";
import { formatPlural } from "@/lib/format";
import { isEntityStep, stepName, type EdgeStep, type GraphPath, type Paths } from "./api";
import { EvidenceCard } from "./EvidenceCard";
import { evidenceLabel, hasEvidence } from "./labels";
import styles from "./Paths.module.css";
import { isDirect, weightLabel, weightShare } from "./pathWords";

interface Props {
  paths: Paths;
  /** Those that stand above the list already. */
  above: GraphPath[];
}

/** Paths in order, each readable as a sentence and openable to what states it. */
export function PathList({ paths, above }: Props) {
  if (paths.paths.length === 0) {
    return (
      <EmptyState>
        {paths.hidden_through_hubs > 0
          ? "Every path goes through a hub, an entity with very many links."
          : "No path connects the two within this number of hops."}
      </EmptyState>
    );
  }
  const listed = paths.paths.filter(({ rank }) => !above.some((path) => path.rank === rank));
  if (listed.length === 0) {
    return above.every(isDirect) && paths.hidden_through_hubs === 0 ? <EmptyState>No other path connects the two within this number of hops.</EmptyState> : null;
  }
  return <ol className={styles.paths}>{listed.map((path) => <PathRow key={path.rank} path={path} paths={paths} />)}</ol>;
}

function PathRow({ path, paths }: { path: GraphPath; paths: Paths }) {
  const where = useGraphParams();
  const best = Math.max(...paths.paths.map(({ weight }) => weight));
  return (
    <li className={styles.path}>
      <span className={`${styles.rank} number`}>{path.rank}</span>
      <div className={styles.way}>
        <PathSteps path={path} where={where} />
        <WeightBar weight={path.weight} label={weightLabel(path.weight, paths.order, best)} />
        <PathEvidence path={path} />
      </div>
    </li>
  );
}

export function WeightBar({ weight, label }: { weight: number; label: string }) {
  return (
    <p className={styles.weight}>
      <span className={styles.bar} aria-hidden><span style={{ width: `${Math.max(2, 100 * weightShare(weight))}%` }} /></span>
      {label}
    </p>
  );
}

export function PathEvidence({ path }: { path: GraphPath }) {
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
