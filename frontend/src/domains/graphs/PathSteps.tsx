import { Link } from "react-router";
import { isEntityStep, type GraphPath, type GraphRef, type Step } from "./graphQueries";
import { entityUrl } from "./graphUrls";
import styles from "./PathSteps.module.css";
import { StepTrials } from "./StepTrials";
import { TypeIcon } from "./TypeIcon";

/** A path as one reads it: each entity leads to its page, each step is in words. */
export function PathSteps({ path, where }: { path: GraphPath; where: GraphRef }) {
  return <p className={styles.steps}>{path.steps.map((step, at) => <EdgeStepLabel key={at} step={step} where={where} />)}</p>;
}

function EdgeStepLabel({ step, where }: { step: Step; where: GraphRef }) {
  if (!isEntityStep(step)) return <span className={styles.hop}> {step.phrase} <StepTrials evidence={step.evidence} /></span>;
  const { id, name, type } = step.entity;
  return (
    <span className={styles.stop}>
      <TypeIcon type={type} />
      <Link to={entityUrl(where, id)}>{name}</Link>
      <span className="visually-hidden"> ({type})</span>
    </span>
  );
}
