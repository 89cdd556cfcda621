import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/Button";
import { QueryBoundary } from "@/components/QueryBoundary";
import { PaperList } from "@/domains/graphs/PaperList";
import { entityPapersQuery, FIRST_PAPERS, MORE_PAPERS, type NamingPapers } from "@/domains/graphs/paperQueries";
import { useGraphParams } from "@/domains/graphs/useGraphParams";
import styles from "./Entity.module.css";

/** Nothing while they are looked up, for it is below all else, and where the site has no papers at all. */
export function EntityPapers({ id }: { id: string }) {
  const where = useGraphParams();
  const [isWhole, setWhole] = useState(false);
  const query = useQuery({
    ...entityPapersQuery(where, id, isWhole ? MORE_PAPERS : FIRST_PAPERS),
    placeholderData: keepPreviousData,
  });
  if (query.isPending || query.data?.results.length === 0) return null;
  return (
    <section aria-labelledby="papers" className={styles.relations}>
      <h2 id="papers">Papers that name it</h2>
      <QueryBoundary query={query} skeleton={null}>
        {({ results }) => (
          <>
            {results.every(isEmpty) && <p className={styles.quiet}>No paper here has its name or a synonym of it.</p>}
            {results.filter((naming) => !isEmpty(naming)).map((naming) => <PaperList key={naming.collection.slug} naming={naming} />)}
            {(isWhole || results.some(({ count, papers }) => count > papers.length)) && (
              <div>
                <Button variant="quiet" onPress={() => setWhole(!isWhole)} aria-expanded={isWhole}>
                  {isWhole ? "Show fewer papers" : "Show more papers"}
                </Button>
              </div>
            )}
            <p className={styles.quiet}>Found by name alone, so some may mean another thing of the same name.</p>
          </>
        )}
      </QueryBoundary>
    </section>
  );
}

function isEmpty({ count, undated }: NamingPapers): boolean {
  return count === 0 && undated === 0;
}
