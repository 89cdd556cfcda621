import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useContext } from "react";
import { Link } from "react-router";
import { QueryBoundary } from "@/components/QueryBoundary";
import { ShowMore } from "@/components/ShowMore";
import { SkeletonRows } from "@/components/SkeletonRows";
import { Tag } from "@/components/Tag";
import { entityUrl } from "@/domains/graphs/graphUrls";
import { TypeLabel } from "@/domains/graphs/TypeIcon";
import { useGraphParams } from "@/domains/graphs/useGraphParams";
import { formatPlural } from "@/lib/format";
import { neighbourPagesQuery, neighboursQuery, PAGE_SIZE, type Neighbour, type RelationCount } from "./api";
import { UndatedNote } from "./CutoffControl";
import styles from "./Entity.module.css";
import { EvidenceDetails } from "./EvidenceCard";
import { evidenceLabel, shownOfTotalLabel } from "./labels";
import { SharedSelection } from "./selection";
import { reasonSentence } from "./surpriseWords";
import { useSurprises } from "./useSurprises";

export const MAX_FIRST = 5;

interface Props {
  id: string;
  name: string;
  relation: RelationCount;
}

/** The first few, without a disclosure. */
export function FirstNeighbours({ id, name, relation }: Props) {
  const where = useGraphParams();
  const page = useQuery(neighboursQuery(where, id, relation, MAX_FIRST));
  return (
    <div className={styles.neighbours}>
      <QueryBoundary query={page} skeleton={<SkeletonRows rows={Math.min(relation.count, MAX_FIRST)} height={44} />}>
        {({ results, undated }) => (
          <>
            <ul aria-label={`${name} ${relation.phrase}`}>{results.map((one) => <NeighbourRow key={one.edge} neighbour={one} />)}</ul>
            <UndatedNote undated={undated} />
          </>
        )}
      </QueryBoundary>
    </div>
  );
}

/** The neighbours on one side of one relation, page by page, each with what states it. */
export function Neighbours({ id, name, relation }: Props) {
  const where = useGraphParams();
  const pages = useInfiniteQuery(neighbourPagesQuery(where, id, relation));
  return (
    <div className={styles.neighbours}>
      <QueryBoundary query={pages} skeleton={<SkeletonRows rows={Math.min(relation.count, 5)} height={44} />}>
        {(data) => {
          const all = data.pages.flatMap((page) => page.results);
          const total = data.pages[0]?.count ?? all.length;
          return (
            <>
              <ul aria-label={`${name} ${relation.phrase}`}>
                {all.map((one) => <NeighbourRow key={one.edge} neighbour={one} />)}
              </ul>
              <UndatedNote undated={data.pages[0]?.undated} />
              <div className={styles.more}>
                <span className={styles.quiet} role="status">{shownOfTotalLabel(all.length, total)}</span>
                <ShowMore list={pages} label={`Show ${Math.min(PAGE_SIZE, total - all.length)} more`} />
              </div>
            </>
          );
        }}
      </QueryBoundary>
    </div>
  );
}

function NeighbourRow({ neighbour }: { neighbour: Neighbour }) {
  const where = useGraphParams();
  const [selected, select] = useContext(SharedSelection) ?? [];
  const { edge, entity, evidence } = neighbour;
  const surprise = useSurprises().find(({ distant_step: step }) => step.edge === edge);
  const read = evidence?.publications.length ?? 0;
  const words = [evidenceLabel(evidence), read > 0 && formatPlural(read, "publication")].filter(Boolean).join(" · ");
  return (
    // What is in it has the focus, and the picture shows where that stands.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li className={styles.neighbour} aria-current={selected === entity.id || undefined} onFocus={() => select?.(entity.id)}>
      <span className={styles.neighbourName}>
        <Link to={entityUrl(where, entity.id)}>{entity.name}</Link>
        <TypeLabel type={entity.type} />
      </span>
      <EvidenceDetails evidence={evidence} summary={words} />
      {surprise && <p className={styles.surprise}><Tag>Surprising use</Tag> {reasonSentence(surprise)}</p>}
    </li>
  );
}
