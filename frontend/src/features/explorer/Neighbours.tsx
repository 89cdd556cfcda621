import { useInfiniteQuery } from "@tanstack/react-query";
import { useContext } from "react";
import { Link } from "react-router";
import { Button } from "@/components/Button";
import { Loadable } from "@/components/Loadable";
import { SkeletonRows } from "@/components/SkeletonRows";
import { TypeWord } from "@/components/graph/TypeMark";
import { useWhere } from "@/components/graph/useWhere";
import { plural } from "@/lib/format";
import { entityPlace } from "@/lib/graphs/places";
import { neighbourPagesQuery, PAGE, type Neighbour, type RelationCount } from "./api";
import styles from "./Entity.module.css";
import { EvidenceDetails } from "./EvidenceCard";
import { SharedSelection } from "./selection";
import { evidenceWords, ofHowMany } from "./words";

interface Props {
  id: string;
  name: string;
  relation: RelationCount;
}

/** The neighbours on one side of one relation, page by page, each with what states it. */
export function Neighbours({ id, name, relation }: Props) {
  const where = useWhere();
  const pages = useInfiniteQuery(neighbourPagesQuery(where, id, relation));
  return (
    <div className={styles.neighbours}>
      <Loadable query={pages} skeleton={<SkeletonRows rows={Math.min(relation.count, 5)} height={44} />}>
        {(data) => {
          const all = data.pages.flatMap((page) => page.results);
          const total = data.pages[0]?.count ?? all.length;
          return (
            <>
              <ul aria-label={`${name} ${relation.phrase}`}>
                {all.map((one) => <NeighbourRow key={one.edge} neighbour={one} />)}
              </ul>
              <div className={styles.more}>
                <span className={styles.quiet} role="status">{ofHowMany(all.length, total)}</span>
                {pages.hasNextPage && (
                  <Button onPress={() => void pages.fetchNextPage()} isDisabled={pages.isFetchingNextPage}>
                    {pages.isFetchingNextPage ? "Reading more" : `Show ${Math.min(PAGE, total - all.length)} more`}
                  </Button>
                )}
                {pages.isFetchNextPageError && (
                  <span className={styles.bad} role="alert">The next ones could not be read. Try again.</span>
                )}
              </div>
            </>
          );
        }}
      </Loadable>
    </div>
  );
}

function NeighbourRow({ neighbour }: { neighbour: Neighbour }) {
  const where = useWhere();
  const [selected, select] = useContext(SharedSelection) ?? [];
  const { entity, evidence } = neighbour;
  const read = evidence?.publications.length ?? 0;
  const words = [evidenceWords(evidence), read > 0 && plural(read, "publication")].filter(Boolean).join(" · ");
  return (
    // What is in it has the focus, and the picture shows where that stands.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li
      className={styles.neighbour}
      aria-current={selected === entity.id || undefined}
      onFocus={() => select?.(entity.id)}
    >
      <span className={styles.neighbourName}>
        <Link to={entityPlace(where, entity.id)}>{entity.name}</Link>
        <TypeWord type={entity.type} />
      </span>
      <EvidenceDetails evidence={evidence} words={words} />
    </li>
  );
}
