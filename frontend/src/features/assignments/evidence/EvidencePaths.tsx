import { useQuery } from "@tanstack/react-query";
import { useContext, useState, type ReactNode } from "react";
import type { Id } from "@/api/contract";
import { Button } from "@/components/Button";
import { ExternalLink } from "@/components/ExternalLink";
import { evidenceLabel, publicationLabel } from "@/domains/graphs/evidenceLabels";
import { isMarked, type PathMark } from "@/domains/studies/marks/marks";
import { Passage } from "@/domains/studies/marks/Passage";
import { formatCount, formatList } from "@/lib/format";
import { evidencePathsQuery, type EvidencePathsResult, type PinnedGraph } from "./api";
import styles from "./Evidence.module.css";
import { EvidenceBoundary } from "./EvidenceBoundary";
import { pathCountLabel } from "./labels";
import { MarkingContext } from "./marking";
import { edgesOf, groupByLength, type GraphPath, type PathEdge, type PathGroup } from "./pathGroups";

const LONG_DETOUR = 3;

interface Props {
  assignment: Id;
  graph: PinnedGraph;
  candidate: Id;
  /** False while the focus only passes the candidate. */
  isResting: boolean;
}

/** How the graph leads from what the question names to the candidate, step by step in words. */
export function EvidencePaths({ assignment, graph, candidate, isResting }: Props) {
  const [hubs, setHubs] = useState(false);
  const query = useQuery({ ...evidencePathsQuery(assignment, graph, candidate, hubs), enabled: isResting });
  return (
    <section aria-labelledby="evidence-paths" className={styles.part}>
      <h3 id="evidence-paths">Paths from the question</h3>
      <EvidenceBoundary query={query}>{(result) => <PathList candidate={candidate} result={result} hubs={hubs} onHubs={setHubs} />}</EvidenceBoundary>
    </section>
  );
}

interface PathListProps {
  candidate: Id;
  result: EvidencePathsResult;
  hubs: boolean;
  onHubs: (shown: boolean) => void;
}

function PathList({ candidate, result: { named, paths }, hubs, onHubs }: PathListProps) {
  const marking = useContext(MarkingContext);
  if (!paths) return <p>No other entity of the question is in this graph, so there are no paths to show.</p>;
  const byName = named.filter(({ match_method: method }) => method === "name").map(({ entity, name }) => entity?.name ?? name);
  const groups = groupByLength(paths.paths);
  return (
    <>
      {groups.length > 0 && groups[0]?.steps !== 1 && <p>Nothing direct.</p>}
      {marking?.toggle && groups.length > 0 && <p className={styles.quiet}>Mark a step, a path or a paper if it decided.</p>}
      {groups.map((group) => <PathGroupView key={group.steps} group={group} candidate={candidate} />)}
      <p className={styles.quiet}>{paths.total === 0 && paths.hidden_through_hubs === 0 ? "No path has three steps or fewer." : `${pathCountLabel(paths)}.`}</p>
      {(paths.hidden_through_hubs > 0 || hubs) && (
        <div>
          <Button variant="quiet" onPress={() => onHubs(!hubs)} aria-pressed={hubs}>
            {hubs ? "Hide those through hubs" : "Show those through hubs"}
          </Button>
        </div>
      )}
      {byName.length > 0 && <p className={styles.quiet}>Matched by name alone, so maybe another: {formatList([...new Set(byName)])}.</p>}
    </>
  );
}

/** What is stated directly and what one entity lies between stands open; a long detour is folded. */
function PathGroupView({ group: { steps, paths }, candidate }: { group: PathGroup; candidate: Id }) {
  const list = <ol className={styles.paths}>{paths.map((path) => <li key={path.rank}><PathRow path={path} candidate={candidate} /></li>)}</ol>;
  if (steps === 1) return list;
  return (
    <details className={styles.detour} open={steps < LONG_DETOUR}>
      <summary>Through {steps} steps <span className={styles.quiet}>{formatCount(paths.length)}</span></summary>
      {list}
    </details>
  );
}

/** Each step a sentence, with what states it below. Steps, their papers and the whole path can be marked. */
function PathRow({ path, candidate }: { path: GraphPath; candidate: Id }) {
  const edges = edgesOf(path);
  const whole = { candidate, edges: edges.map(({ edge }) => edge), step: null, paper: "", text: edges.map(({ text }) => text).join("; ") };
  return (
    <ol className={styles.steps}>
      {edges.map((edge, at) => (
        <li key={at}>
          <PathStep edge={edge} mark={{ ...whole, step: at, text: edge.text }} />
        </li>
      ))}
      {edges.length > 1 && <li><EvidencePassage mark={whole} label="This whole path decided" isSmall>This path decided</EvidencePassage></li>}
    </ol>
  );
}

function PathStep({ edge: { from, step, to }, mark }: { edge: PathEdge; mark: MarkedPath }) {
  return (
    <>
      <EvidencePassage mark={mark}><b translate="no">{from}</b> {step.phrase} <b translate="no">{to}</b></EvidencePassage>
      <p className={styles.quiet}>
        {evidenceLabel(step.evidence)}
        {step.evidence?.publications.map(({ curie, url }) => (
          <span key={curie} className={styles.publication}>
            {url ? <ExternalLink href={url}>{publicationLabel(curie)}</ExternalLink> : publicationLabel(curie)}{" "}
            <EvidencePassage mark={{ ...mark, paper: curie, text: `${curie}: ${mark.text}` }} label={`${publicationLabel(curie)} decided`} isSmall />
          </span>
        ))}
      </p>
    </>
  );
}

type MarkedPath = Omit<PathMark, "type">;

/** Text alone where the answers of the study have no marks. */
function EvidencePassage({ mark: fields, label, isSmall = false, children }: { mark: MarkedPath; label?: string; isSmall?: boolean; children?: ReactNode }) {
  const marking = useContext(MarkingContext);
  const mark: PathMark = { type: "path", ...fields };
  if (!marking || (isSmall && !marking.toggle && !isMarked(marking.marks, mark))) return isSmall ? null : <p>{children}</p>;
  const { marks, toggle } = marking;
  return (
    <Passage isMarked={isMarked(marks, mark)} onToggle={toggle && (() => toggle(mark))} isSmall={isSmall} keepsFocus {...(label && { label })}>
      {children}
    </Passage>
  );
}
