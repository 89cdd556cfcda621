import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { surprisesQuery } from "@/domains/graphs/graphQueries";
import { rnsUrl } from "@/domains/graphs/rnsUrls";
import { useGraphParams } from "@/domains/graphs/useGraphParams";
import styles from "./Rns.module.css";

const MAX_EXAMPLES = 3;

/** Sets to start from, of this graph's own data: both uses of a drug that surprises. */
export function ExampleSets() {
  const where = useGraphParams();
  const { data } = useQuery(surprisesQuery(where));
  const examples = data?.results.slice(0, MAX_EXAMPLES) ?? [];
  if (examples.length === 0) return null;
  return (
    <section aria-labelledby="examples" className={styles.examples}>
      <h2 id="examples">Or load an example</h2>
      <ul>
        {examples.map(({ drug, usual, distant }) => (
          <li key={drug.id}>
            <Link to={rnsUrl(where, { existing: [usual.id], serendipity: [distant.id] })}>{usual.name} and {distant.name}</Link>
            <span className={styles.quiet}> two uses of {drug.name}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
