import { Link } from "react-router";
import { entityUrl } from "@/domains/graphs/graphUrls";
import { StepTrials } from "@/domains/graphs/StepTrials";
import { TypeIcon } from "@/domains/graphs/TypeIcon";
import { useGraphParams } from "@/domains/graphs/useGraphParams";
import { isEntityStep, type GraphPath } from "./api";
import { standalonePhrase } from "./labels";
import styles from "./PathDrawing.module.css";

/** A path as a picture: entities in a row, an arrow with its words between them. A card links its ends itself. */
export function PathDrawing({ path, isSmall = false }: { path: GraphPath; isSmall?: boolean }) {
  const where = useGraphParams();
  return (
    <ol className={styles.drawing} data-small={isSmall || undefined}>
      {path.steps.map((step, at) => isEntityStep(step) ? (
        <li key={at} className={styles.entity}>
          <TypeIcon type={step.entity.type} size={isSmall ? 10 : 14} />
          {isSmall && (at === 0 || at === path.steps.length - 1)
            ? step.entity.name
            : <Link to={entityUrl(where, step.entity.id)}>{step.entity.name}</Link>}
          {!isSmall && <span className={styles.type}>{step.entity.type}</span>}
        </li>
      ) : (
        <li key={at} className={styles.step}>
          <span>{standalonePhrase(step.phrase)}</span>
          {!isSmall && <StepTrials evidence={step.evidence} />}
        </li>
      ))}
    </ol>
  );
}
