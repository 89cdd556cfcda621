import { Link } from "react-router";
import { Empty } from "@/components/Empty";
import { plural } from "@/lib/format";
import type { EdgeStep, EntityStep, GraphPath, Paths, Step } from "./api";
import { EvidenceCard } from "./EvidenceCard";
import styles from "./Paths.module.css";
import { entityPlace } from "./places";
import { TypeMark } from "./TypeMark";
import { useWhere } from "./useWhere";
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

function isEntity(step: Step): step is EntityStep {
  return "entity" in step;
}

function PathRow({ path }: { path: GraphPath }) {
  const edges = path.steps.filter((step): step is EdgeStep => !isEntity(step));
  const known = edges.filter(({ evidence }) => hasEvidence(evidence)).length;
  return (
    <li className={styles.path}>
      <span className={`${styles.rank} number`}>{path.rank}</span>
      <div className={styles.way}>
        <p className={styles.steps}>
          {path.steps.map((step, at) => <StepWords key={at} step={step} />)}
        </p>
        <details className={styles.why}>
          <summary>
            {known === edges.length
              ? `What states it: ${edges.length === 1 ? "its edge" : `all ${edges.length} edges`}`
              : `What states it: ${known} of ${plural(edges.length, "edge")}`}
            <span className={styles.weight}>weight {number(path.weight)}</span>
          </summary>
          <ol className={styles.reasons}>
            {path.steps.map((step, at) => !isEntity(step) && (
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
  return step && isEntity(step) ? step.entity.name : "";
}

function StepWords({ step }: { step: Step }) {
  const where = useWhere();
  if (!isEntity(step)) return <span className={styles.hop}> {step.phrase} </span>;
  const { id, name, type } = step.entity;
  return (
    <span className={styles.stop}>
      <TypeMark type={type} />
      <Link to={entityPlace(where, id)}>{name}</Link>
      <span className="visually-hidden"> ({type})</span>
    </span>
  );
}
