import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { Page } from "@/components/Page";
import { QueryBoundary } from "@/components/QueryBoundary";
import { ShowMore } from "@/components/ShowMore";
import { SkeletonRows } from "@/components/SkeletonRows";
import { entityUrl, searchUrl } from "@/domains/graphs/graphUrls";
import { useGraphParams } from "@/domains/graphs/useGraphParams";
import { formatPlural } from "@/lib/format";
import { entityPagesQuery, PAGE_SIZE, type GraphDetail } from "./api";
import styles from "./Explorer.module.css";
import { shownOfTotalLabel } from "./labels";

/** Every entity of one type, those with the most edges first. */
export function TypeList({ graph, type }: { graph: GraphDetail; type: string }) {
  const where = useGraphParams();
  const pages = useInfiniteQuery(entityPagesQuery(where, type));
  return (
    <Page title={type} parent={{ to: searchUrl(where), label: graph.name }} intro="Those with the most edges come first.">
      <QueryBoundary query={pages} skeleton={<SkeletonRows rows={8} height={44} />}>
        {(data) => {
          const all = data.pages.flatMap(({ results }) => results);
          const total = data.pages[0]?.count ?? all.length;
          return (
            <>
              <ol className={styles.hits} aria-label={type}>
                {all.map(({ id, name, degree }) => (
                  <li key={id} className={styles.hit}>
                    <span className={styles.hitName}><Link to={entityUrl(where, id)}>{name}</Link></span>
                    <span className={styles.quiet}>{id} · {formatPlural(degree, "edge")}</span>
                  </li>
                ))}
              </ol>
              <p className={styles.quiet} role="status">{shownOfTotalLabel(all.length, total)}</p>
              <ShowMore list={pages} label={`Show ${Math.min(PAGE_SIZE, total - all.length)} more`} />
            </>
          );
        }}
      </QueryBoundary>
    </Page>
  );
}
