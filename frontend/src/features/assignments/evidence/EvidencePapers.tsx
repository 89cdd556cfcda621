import { useQuery } from "@tanstack/react-query";
import type { Id } from "@/api/contract";
import { PaperList } from "@/domains/graphs/PaperList";
import { evidencePapersQuery, type PinnedGraph } from "./api";
import styles from "./Evidence.module.css";
import { EvidenceBoundary } from "./EvidenceBoundary";

interface Props {
  assignment: Id;
  graph: PinnedGraph;
  candidate: Id;
  /** False while the focus only passes the candidate. */
  isResting: boolean;
}

/** Papers that name the candidate; nothing where none does. */
export function EvidencePapers({ assignment, graph, candidate, isResting }: Props) {
  const query = useQuery({ ...evidencePapersQuery(assignment, graph, candidate), enabled: isResting });
  const listed = query.data?.results.filter(({ count }) => count > 0);
  if (query.isPending || listed?.length === 0) return null;
  return (
    <section aria-labelledby="evidence-papers" className={styles.part}>
      <h3 id="evidence-papers">Papers that name it</h3>
      <EvidenceBoundary query={query}>
        {({ results }) => results.filter(({ count }) => count > 0).map((one) => <PaperList key={one.collection.slug} naming={one} />)}
      </EvidenceBoundary>
    </section>
  );
}
