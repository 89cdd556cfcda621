import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Id } from "@/api/contract";
import { Button } from "@/components/Button";
import { ExternalLink } from "@/components/ExternalLink";
import { evidenceWords, publicationWords } from "@/lib/evidenceWords";
import { evidencePathsQuery, type EdgeStep, type EntityStep, type FoundPaths, type GraphPath, type PinnedGraph } from "./api";
import styles from "./Evidence.module.css";
import { Waiting } from "./Waiting";
import { listWords, pathsWords } from "./words";

interface Props {
  assignment: Id;
  graph: PinnedGraph;
  candidate: Id;
  /** False while she only passes by. */
  isResting: boolean;
}

/** How the graph leads from what the question names to the candidate, step by step in words. */
export function EvidencePaths({ assignment, graph, candidate, isResting }: Props) {
  const [hubs, setHubs] = useState(false);
  const query = useQuery({ ...evidencePathsQuery(assignment, graph, candidate, hubs), enabled: isResting });
  return (
    <section aria-labelledby="evidence-paths" className={styles.part}>
      <h3 id="evidence-paths">Paths from the question</h3>
      {query.data ? (
        <Found found={query.data} hubs={hubs} onHubs={setHubs} />
      ) : (
        <Waiting error={query.error} busy={query.isFetching} onRetry={() => void query.refetch()} />
      )}
    </section>
  );
}

interface FoundProps {
  found: FoundPaths;
  hubs: boolean;
  onHubs: (shown: boolean) => void;
}

function Found({ found: { named, paths }, hubs, onHubs }: FoundProps) {
  if (!paths) return <p>Nothing else that the question names is in this graph, so there is nothing to begin at.</p>;
  const byName = named.filter(({ how }) => how === "name").map(({ entity, name }) => entity?.name ?? name);
  return (
    <>
      {byName.length > 0 && <p className={styles.quiet}>Matched by name alone: {listWords([...new Set(byName)])}.</p>}
      <p>{paths.found === 0 && paths.hidden_through_hubs === 0 ? "None of three steps or fewer." : `${pathsWords(paths)}.`}</p>
      {(paths.hidden_through_hubs > 0 || hubs) && (
        <div>
          <Button look="quiet" onPress={() => onHubs(!hubs)} aria-pressed={hubs}>
            {hubs ? "Hide those through hubs" : "Show those through hubs"}
          </Button>
        </div>
      )}
      <ol className={styles.paths}>
        {paths.paths.map((path) => (
          <li key={path.rank}>
            <Path path={path} />
          </li>
        ))}
      </ol>
    </>
  );
}

const isEdge = (step: EdgeStep | EntityStep): step is EdgeStep => "phrase" in step;

function nameAt({ steps }: GraphPath, at: number): string {
  const step = steps[at];
  return step && !isEdge(step) ? step.entity.name : "";
}

/** Each step a sentence, with what states it below. */
function Path({ path }: { path: GraphPath }) {
  return (
    <ol className={styles.steps}>
      {path.steps.map((step, at) =>
        isEdge(step) ? (
          <li key={at}>
            <p>
              <b translate="no">{nameAt(path, at - 1)}</b> {step.phrase} <b translate="no">{nameAt(path, at + 1)}</b>
            </p>
            <p className={styles.quiet}>
              {evidenceWords(step.evidence)}
              {step.evidence?.publications.map(({ curie, url }) => (
                <span key={curie} className={styles.publication}>
                  {url ? <ExternalLink href={url}>{publicationWords(curie)}</ExternalLink> : publicationWords(curie)}
                </span>
              ))}
            </p>
          </li>
        ) : null,
      )}
    </ol>
  );
}
