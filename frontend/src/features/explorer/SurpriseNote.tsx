import { Link } from "react-router";
import { entityUrl, pathsUrl } from "@/domains/graphs/graphUrls";
import { useGraphParams } from "@/domains/graphs/useGraphParams";
import styles from "./Paths.module.css";
import { SurpriseUses } from "./SurpriseUses";
import { reasonSentence, surpriseBetween } from "./surpriseWords";
import { useSurprises } from "./useSurprises";

interface Props {
  ends: [string, string];
  /** Whether a path other than a direct link is shown. */
  hasPath: boolean;
}

/** Why the two ends stand among the surprises of the graph, if they do; without a path, where to look on. */
export function SurpriseNote({ ends: [one, other], hasPath }: Props) {
  const where = useGraphParams();
  const surprise = surpriseBetween(useSurprises(), one, other);
  if (!surprise) return null;
  const { drug, usual, distant } = surprise;
  const isOfDrug = one === drug.id || other === drug.id;
  return (
    <section aria-label="Surprise" className={styles.surprise}>
      <p>
        A surprising use of <Link to={entityUrl(where, drug.id)}>{drug.name}</Link>: <SurpriseUses surprise={surprise} />. {reasonSentence(surprise)}
      </p>
      {isOfDrug && !hasPath && <p><Link to={pathsUrl(where, usual.id, [distant.id])}>Paths between the two diseases</Link></p>}
    </section>
  );
}
