import { useQuery } from "@tanstack/react-query";
import { ArrowUpRight } from "lucide-react";
import { useState } from "react";
import type { Id } from "@/api/contract";
import { Button } from "@/components/Button";
import { Tag } from "@/components/Tag";
import { standalonePhrase } from "@/domains/graphs/evidenceLabels";
import { entityQuery } from "@/domains/graphs/graphQueries";
import { entityUrl } from "@/domains/graphs/graphUrls";
import { formatCount, formatPlural } from "@/lib/format";
import { EVIDENCE_QUERY, type CandidateEvidence, type PinnedGraph, type Section } from "./api";
import styles from "./Evidence.module.css";
import { EvidenceBoundary } from "./EvidenceBoundary";
import { EvidencePapers } from "./EvidencePapers";
import { EvidencePaths } from "./EvidencePaths";
import { matchMethodLabel, unmatchedReasonLabel } from "./labels";

interface Props {
  assignment: Id;
  graph: PinnedGraph;
  evidence: CandidateEvidence;
  isSettled: boolean;
  /** False where the study keeps the graph's own pages closed: then nothing links to them. */
  hasPages: boolean;
}

/** One candidate: what it was matched to and how, what is written of it, and how it is reached. */
export function CandidateCard({ assignment, graph, evidence, isSettled, hasPages }: Props) {
  const { entity, match_method: method, summary } = evidence;
  if (!entity) return <p>{unmatchedReasonLabel(evidence)}</p>;
  return (
    <>
      <div className={styles.matched}>
        <p className={styles.entity}>
          {hasPages ? (
            <a href={entityUrl(graph, entity.id)} target="_blank" rel="noopener">
              <span translate="no">{entity.name}</span>
              <ArrowUpRight size={13} aria-hidden />
              <span className="visually-hidden"> in the explorer (opens in a new tab)</span>
            </a>
          ) : <span translate="no">{entity.name}</span>}
          <span className={styles.quiet}>{entity.type}</span>
        </p>
        {method === "name" ? <p><Tag>{matchMethodLabel(evidence)}</Tag> It may be another entity of the same name.</p> : <p className={styles.quiet}>{matchMethodLabel(evidence)}</p>}
      </div>
      {summary && <SectionText section={summary} />}
      <EvidencePaths assignment={assignment} graph={graph} candidate={evidence.candidate} isResting={isSettled} />
      <Links evidence={evidence} />
      <EvidencePapers assignment={assignment} graph={graph} candidate={evidence.candidate} isResting={isSettled} />
      {evidence.sections > 1 && <FullDocument graph={graph} id={entity.id} sections={evidence.sections} rest={evidence.rest} />}
    </>
  );
}

function Links({ evidence: { relations } }: Pick<Props, "evidence">) {
  if (relations.length === 0) return null;
  return (
    <section aria-labelledby="evidence-links" className={styles.part}>
      <h3 id="evidence-links">Its links in the graph</h3>
      <dl className={styles.links}>
        {relations.map(({ relation, phrase, outgoing, count: found }) => (
          <div key={`${relation} ${outgoing}`}>
            <dt>{standalonePhrase(phrase)}</dt>
            <dd className="number">{formatCount(found)}</dd>
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

interface DocumentProps {
  graph: PinnedGraph;
  id: string;
  sections: number;
  rest: Section[] | null;
}

/** The rest of its document, loaded on request unless it came with the evidence. */
function FullDocument({ graph, id, sections, rest }: DocumentProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <div>
        <Button variant="quiet" onPress={() => setOpen(!isOpen)} aria-expanded={isOpen}>
          {isOpen ? "Show less of its document" : `Show ${formatPlural(sections - 1, "more section")} of its document`}
        </Button>
      </div>
      {isOpen && (rest ? <Sections sections={rest} /> : <LoadedDocument graph={graph} id={id} />)}
    </>
  );
}

function LoadedDocument({ graph, id }: { graph: PinnedGraph; id: string }) {
  const query = useQuery({ ...entityQuery(graph, id), ...EVIDENCE_QUERY });
  return <EvidenceBoundary query={query}>{({ document }) => <Sections sections={document.slice(1)} />}</EvidenceBoundary>;
}

/** Two sections may carry the same title; their order does not change. */
function Sections({ sections }: { sections: Section[] }) {
  return sections.map((section, at) => <SectionText key={at} section={section} />);
}
