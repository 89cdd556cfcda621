import { Empty } from "@/components/Empty";
import { isEntityStep, PathSteps } from "@/components/graph/PathSteps";
import { useWhere } from "@/components/graph/useWhere";
import { plural } from "@/lib/format";
import type { EdgeStep, GraphPath, Paths } from "./api";
import { EvidenceCard } from "./EvidenceCard";
import styles from "./Paths.module.css";
import { evidenceWords, hasEvidence, number } from "./words";

/** Paths in order, each readable as a sentence and openable to what states it. */
export function PathList({ paths }: { paths: Paths }) {
  if (paths.paths.length === 0) {
    return (
      <Empty>
        {paths.hidden_through_hubs > 0
          ? "Every path that was found goes through a hub: an entity that is linked to very many others."
          : "Nothing links the two within this many hops."}
      </Empty>
    );
  }
  return (
    <ol className={styles.paths}>
      {paths.paths.map((path) => <PathRow key={path.rank} path={path} />)}
    </ol>
  );
}

function PathRow({ path }: { path: GraphPath }) {
  const where = useWhere();
  const edges = path.steps.filter((step): step is EdgeStep => !isEntityStep(step));
  const known = edges.filter(({ evidence }) => hasEvidence(evidence)).length;
  return (
    <li className={styles.path}>
      <span className={`${styles.rank} number`}>{path.rank}</span>
      <div className={styles.way}>
        <PathSteps path={path} where={where} />
        <details className={styles.why}>
          <summary>
            {known === edges.length
              ? `What states it: ${edges.length === 1 ? "its edge" : `all ${edges.length} edges`}`
              : `What states it: ${known} of ${plural(edges.length, "edge")}`}
            <span className={styles.weight}>weight {number(path.weight)}</span>
          </summary>
          <ol className={styles.reasons}>
            {path.steps.map((step, at) => !isEntityStep(step) && (
              <li key={at}>
                <p><b>{nameAt(path, at - 1)}</b> {step.phrase} <b>{nameAt(path, at + 1)}</b>: {evidenceWords(step.evidence)}</p>
                <EvidenceCard evidence={step.evidence} />
              </li>
            ))}
          </ol>
        </details>
      </div>
    </li>
  );
}

function nameAt(path: GraphPath, at: number): string {
  const step = path.steps[at];
  return step && isEntityStep(step) ? step.entity.name : "";
}
