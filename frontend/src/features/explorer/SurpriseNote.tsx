import { Link } from "react-router";
import { entityUrl, pathsUrl } from "@/domains/graphs/graphUrls";
import { useGraphParams } from "@/domains/graphs/useGraphParams";
import styles from "./Paths.module.css";
import { SurpriseUses } from "./SurpriseUses";
import { reasonSentence, surpriseBetween } from "./surpriseWords";
import { useSurprises } from "./useSurprises";

/** Why the two ends stand among the surprises of the graph, if they do. */
export function SurpriseNote({ ends: [one, other] }: { ends: [string, string] }) {
  const where = useGraphParams();
  const surprise = surpriseBetween(useSurprises(), one, other);
  if (!surprise) return null;
  const { drug, usual, distant } = surprise;
  const isOfDrug = one === drug.id || other === drug.id;
  return (
    <section aria-label="Surprise" className={styles.surprise}>
      <p>A surprising use of <Link to={entityUrl(where, drug.id)}>{drug.name}</Link>: <SurpriseUses surprise={surprise} />.</p>
      <p>{reasonSentence(surprise)}</p>
      {isOfDrug && <p><Link to={pathsUrl(where, usual.id, [distant.id])}>Paths between the two diseases</Link></p>}
    </section>
  );
}
