import { ArrowLeft, ArrowRight, ArrowUp } from "lucide-react";
import type { Ref } from "react";
import { Link } from "react-router";
import { Button } from "@/components/Button";
import { ExternalLink } from "@/components/ExternalLink";
import { Facts } from "@/components/Facts";
import { Tag } from "@/components/Tag";
import { sourceInSentence } from "@/domains/evaluation/groundedness";
import { datedBy } from "@/domains/graphs/evidenceLabels";
import { entityUrl } from "@/domains/graphs/graphUrls";
import { formatPercent, formatPlural } from "@/lib/format";
import styles from "./Grounding.module.css";
import { faultLabel, METHOD_LABELS, SOURCE_LABELS, STANCE_LABELS, VERDICT_LABELS } from "./labels";
import type { Claim, ClaimVerdict, Evidence, Grounding, Mention, Source } from "./queries";

interface Props {
  grounding: Grounding;
  claim: Claim;
  source: Source;
  onChoose: (number: number) => void;
  /** To the claim in the text, from below it. */
  onBack: () => void;
  heading: Ref<HTMLHeadingElement>;
}

/** One claim: its verdicts, what the chosen one rests on, and what was linked to what. */
export function ClaimDetails({ grounding, claim, source, onChoose, onBack, heading }: Props) {
  const { claims } = grounding;
  const verdict = claim.verdicts.find((one) => one.source === source);
  const at = claims.indexOf(claim);
  const [before, after] = [claims[at - 1], claims[at + 1]];
  return (
    <section className={styles.details} aria-label={`Claim ${claim.number}`}>
      <header className={styles.head}>
        <h2 ref={heading} tabIndex={-1}>Claim {claim.number} of {claims.length}</h2>
        <Button aria-label="Previous claim" size="icon" isDisabled={!before} onPress={() => before && onChoose(before.number)}><ArrowLeft size={16} aria-hidden /></Button>
        <Button aria-label="Next claim" size="icon" isDisabled={!after} onPress={() => after && onChoose(after.number)}><ArrowRight size={16} aria-hidden /></Button>
      </header>
      <div className={styles.narrow}><Button onPress={onBack}><ArrowUp size={16} aria-hidden /> Back to the text</Button></div>
      <p className={styles.claim}><bdi>{claim.text}</bdi></p>
      <Facts aria-live="polite">
        {claim.verdicts.map((one) => <VerdictFact key={one.source} verdict={one} />)}
      </Facts>
      {verdict && <EvidenceList graph={grounding.graph} snapshot={grounding.snapshot} verdict={verdict} />}
      <Mentions mentions={claim.mentions} graph={grounding.graph} snapshot={grounding.snapshot} />
      {verdict && (
        <p className={styles.quiet}>
          Compared with {formatPlural(verdict.papers_read, "paper")} and {formatPlural(verdict.edges_read, "edge")}, {Math.min(claim.context.edges_between, verdict.edges_read)} of them between entities of the claim.
        </p>
      )}
    </section>
  );
}

function VerdictFact({ verdict: { source, verdict, probability, fault } }: { verdict: ClaimVerdict }) {
  return (
    <div>
      <dt>{SOURCE_LABELS[source]}</dt>
      <dd>
        <span className={styles.verdict} data-verdict={verdict}>{VERDICT_LABELS[verdict]}</span>
        {probability !== null && `, probability ${formatPercent(probability)}`}
        {fault && <span className={styles.quiet}> {faultLabel(fault)}</span>}
      </dd>
    </div>
  );
}

interface ListProps {
  graph: string;
  snapshot: string;
  verdict: ClaimVerdict;
}

function EvidenceList({ verdict: { source, evidence }, ...where }: ListProps) {
  if (evidence.length === 0) return <p>Nothing in the {sourceInSentence(source)} decides about this claim.</p>;
  return (["supports", "contradicts"] as const).map((stance) => {
    const listed = evidence.filter((one) => one.stance === stance);
    return listed.length > 0 && (
      <section key={stance} className={styles.section} aria-label={STANCE_LABELS[stance]}>
        <h3>{STANCE_LABELS[stance]}</h3>
        <ul className={styles.evidence}>
          {listed.map((one, at) => <li key={at}><EvidenceEntry evidence={one} {...where} /></li>)}
        </ul>
      </section>
    );
  });
}

function EvidenceEntry({ evidence: { edge, sentence }, graph, snapshot }: { evidence: Evidence } & Omit<ListProps, "verdict">) {
  const where = { slug: graph, snapshot, until: null };
  if (edge) {
    return (
      <>
        <p>
          <Link to={entityUrl(where, edge.source.id)}><bdi>{edge.source.name}</bdi></Link> <bdi>{edge.phrase}</bdi> <Link to={entityUrl(where, edge.target.id)}><bdi>{edge.target.name}</bdi></Link>
        </p>
        <p className={styles.quiet}>Edge of the graph{edge.first_seen !== null && `, first seen ${datedBy(edge.first_seen, edge.date_source)}`}</p>
      </>
    );
  }
  if (!sentence) return null;
  const { paper, title, date, note, text } = sentence;
  return (
    <>
      <blockquote className={styles.quote}><bdi>{text}</bdi></blockquote>
      <p className={styles.quiet}>
        {sentence.sentence > 0 && <><bdi>{title || "Without a title"}</bdi>, </>}<bdi>{date || "no date"}</bdi>, <PaperLink id={paper} />
      </p>
      {note && <p className={styles.quiet}><bdi>{note}</bdi></p>}
    </>
  );
}

function PaperLink({ id }: { id: string }) {
  if (!/^\d+$/.test(id)) return <><bdi>{id}</bdi> <Tag>Synthetic: this paper does not exist</Tag></>;
  return <ExternalLink href={`https://pubmed.ncbi.nlm.nih.gov/${id}/`}>PMID {id}</ExternalLink>;
}

function Mentions({ mentions, graph, snapshot }: { mentions: Mention[]; graph: string; snapshot: string }) {
  if (mentions.length === 0) return <p>No entity of the graph was recognised in this claim.</p>;
  const where = { slug: graph, snapshot, until: null };
  return (
    <section className={styles.section} aria-label="Linked entities">
      <h3>Linked entities</h3>
      <ul className={styles.evidence}>
        {mentions.map(({ start, text, identifier, name, type, method, alternatives }) => (
          <li key={start}>
            ‘<bdi>{text}</bdi>’ is{" "}
            {identifier === null ? `one of ${formatPlural(alternatives.length, "entity", "entities")} of this name` : <><Link to={entityUrl(where, identifier)}><bdi>{name}</bdi></Link> (<bdi>{type}</bdi>)</>}, {METHOD_LABELS[method]}
          </li>
        ))}
      </ul>
    </section>
  );
}
