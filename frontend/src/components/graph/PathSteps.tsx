import { Link } from "react-router";
import { entityPlace } from "@/lib/graphs/places";
import type { EntityStep, GraphPath, Step, Where } from "@/lib/graphs/reading";
import styles from "./PathSteps.module.css";
import { TypeMark } from "./TypeMark";

/** A path as one reads it: each entity leads to its page, each step is said in words. */
export function PathSteps({ path, where }: { path: GraphPath; where: Where }) {
  return (
    <p className={styles.steps}>
      {path.steps.map((step, at) => <StepWords key={at} step={step} where={where} />)}
    </p>
  );
}

export function isEntityStep(step: Step): step is EntityStep {
  return "entity" in step;
}

function StepWords({ step, where }: { step: Step; where: Where }) {
  if (!isEntityStep(step)) return <span className={styles.hop}> {step.phrase} </span>;
  const { id, name, type } = step.entity;
  return (
    <span className={styles.stop}>
      <TypeMark type={type} />
      <Link to={entityPlace(where, id)}>{name}</Link>
      <span className="visually-hidden"> ({type})</span>
    </span>
  );
}
