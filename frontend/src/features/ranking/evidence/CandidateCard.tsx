import { useQuery } from "@tanstack/react-query";
import { ArrowUpRight } from "lucide-react";
import { useState } from "react";
import type { Id } from "@/api/contract";
import { Button } from "@/components/Button";
import { Tag } from "@/components/Tag";
import { alone } from "@/lib/evidenceWords";
import { count, plural } from "@/lib/format";
import { documentQuery, explorerPlace, type CandidateEvidence, type PinnedGraph, type Section } from "./api";
import styles from "./Evidence.module.css";
import { EvidencePaths } from "./EvidencePaths";
import { Waiting } from "./Waiting";
import { howWords, whyNotWords } from "./words";

interface Props {
  assignment: Id;
  graph: PinnedGraph;
  found: CandidateEvidence;
  isResting: boolean;
}

/** One candidate: what it was matched to and how, what is written of it, and how it is reached. */
export function CandidateCard({ assignment, graph, found, isResting }: Props) {
  const { entity, how, summary } = found;
  if (!entity) return <p>{whyNotWords(found)}</p>;
  return (
    <>
      <div className={styles.matched}>
        <p className={styles.entity}>
          <a href={explorerPlace(graph, entity.id)} target="_blank" rel="noopener">
            <span translate="no">{entity.name}</span>
            <ArrowUpRight size={13} aria-hidden />
            <span className="visually-hidden"> in the explorer (opens in a new tab)</span>
          </a>
          <span className={styles.quiet}>{entity.type}</span>
        </p>
        {how === "name" ? (
          <p>
            <Tag>{howWords(found)}</Tag> It may be something else of this name.
          </p>
        ) : (
          <p className={styles.quiet}>{howWords(found)}</p>
        )}
      </div>
      {summary && <SectionText section={summary} />}
      <EvidencePaths assignment={assignment} graph={graph} candidate={found.candidate} isResting={isResting} />
      <Links found={found} />
      {found.sections > 1 && <Whole graph={graph} id={entity.id} sections={found.sections} />}
    </>
  );
}

/** How many links of each kind it has in the graph. */
function Links({ found: { relations } }: Pick<Props, "found">) {
  if (relations.length === 0) return null;
  return (
    <section aria-labelledby="evidence-links" className={styles.part}>
      <h3 id="evidence-links">Its links in the graph</h3>
      <dl className={styles.links}>
        {relations.map(({ relation, phrase, outgoing, count: found }) => (
          <div key={`${relation} ${outgoing}`}>
            <dt>{alone(phrase)}</dt>
            <dd className="number">{count(found)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function SectionText({ section: { title, text, source } }: { section: Section }) {
  return (
    <section className={styles.part}>
      {title && <h3>{title}</h3>}
      <p className={styles.text}>{text}</p>
      {source && <p className={styles.quiet}>Source: {source}</p>}
    </section>
  );
}

/** The rest of its document, read when she asks for it. */
function Whole({ graph, id, sections }: { graph: PinnedGraph; id: string; sections: number }) {
  const [isOpen, setOpen] = useState(false);
  const query = useQuery({ ...documentQuery(graph, id), enabled: isOpen });
  const rest = query.data?.document.slice(1) ?? [];
  return (
    <>
      <div>
        <Button look="quiet" onPress={() => setOpen(!isOpen)} aria-expanded={isOpen}>
          {isOpen ? "Show less of its document" : `Show ${plural(sections - 1, "more section")} of its document`}
        </Button>
      </div>
      {/* Two sections may carry the same title; their order does not change. */}
      {isOpen && rest.map((section, at) => <SectionText key={at} section={section} />)}
      {isOpen && !query.data && <Waiting error={query.error} busy={query.isFetching} onRetry={() => void query.refetch()} />}
    </>
  );
}
