import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import type { FieldError } from "@/api/client";
import { EmptyState } from "@/components/EmptyState";
import { Page } from "@/components/Page";
import { SkeletonRows } from "@/components/SkeletonRows";
import { EntityChip } from "@/domains/graphs/EntityChip";
import { EntityCombobox } from "@/domains/graphs/EntityCombobox";
import { GraphFrame } from "@/domains/graphs/GraphFrame";
import type { GraphDetail } from "@/domains/graphs/graphQueries";
import { setsFileUrl } from "@/domains/graphs/rnsUrls";
import { useGraphParams } from "@/domains/graphs/useGraphParams";
import { useCurrentUser } from "@/lib/currentUser";
import { errorMessage, fieldErrors } from "@/lib/errorMessages";
import { rnsQuery, type RnsRequest } from "./api";
import { OptionFields } from "./ComputationDetails";
import { ExampleSets } from "./ExampleSets";
import styles from "./Rns.module.css";
import { RnsResult } from "./RnsResult";
import { EQUAL_WEIGHTS, formatWeights } from "@/lib/weights/simplex";
import { useEntitySets, type SetSide } from "./useSets";
import { CopyPinnedLink } from "./WorkbenchActions";
import { WorkbenchError } from "./WorkbenchError";

/** RNS of two sets of one's own choosing, with each of its parts explained. */
export function RnsPage() {
  return <GraphFrame current="Serendipity">{(graph) => <SetScoring graph={graph} />}</GraphFrame>;
}

const MAX_SET_SIZE = 50;

const SIDES = ["existing", "serendipity"] as const;

const SIDE_OPTIONS: Record<SetSide, { title: string; hint: string; label: string }> = {
  existing: { title: "Existing", hint: "Known entities, such as drugs in use.", label: "Add an existing entity" },
  serendipity: { title: "Serendipity", hint: "Entities that may be new discoveries.", label: "Add a serendipitous entity" },
};

function SetScoring({ graph }: { graph: GraphDetail }) {
  const where = useGraphParams();
  const me = useCurrentUser();
  const sets = useEntitySets();
  const [isOpen] = useState(Object.keys(sets.options).length > 0);
  const request: RnsRequest = { existing: sets.existing, serendipity: sets.serendipity, options: sets.options };
  const isReady = request.existing.length > 0 && request.serendipity.length > 0;
  const scores = useQuery(rnsQuery(where, request));
  const faults = fieldErrors(scores.error);
  const isShownAtField = faults.some(({ place, message }) => isOfSet(place) && message === errorMessage(scores.error));
  return (
    <Page
      title="Serendipity of two sets"
      width="wide"
      intro="RNS scores the relevance, novelty and surprise of one set of entities given another."
      actions={
        <>
          <Link to={setsFileUrl(where)}>{me === null ? "Sign in to score a file of many sets" : "Score a file of many sets"}</Link>
          {isReady && <CopyPinnedLink pins={{ snapshot: where.snapshot ?? graph.latest ?? "", w: formatWeights(EQUAL_WEIGHTS) }} />}
        </>
      }
    >
      <div className={styles.sets}>
        {SIDES.map((side) => (
          <SetFields key={side} side={side} ids={sets[side]} sets={sets} faults={faults} />
        ))}
      </div>
      {!isReady && <EmptyState>Choose at least one entity for each set. The scores then appear here.</EmptyState>}
      {request.existing.length + request.serendipity.length === 0 && <ExampleSets />}
      {isReady && scores.isError && !isShownAtField && <WorkbenchError error={scores.error} onRetry={() => void scores.refetch()} busy={scores.isFetching} graph={versionLabel(graph, where.snapshot)} options={sets.options} />}
      {isReady && scores.isPending && <div aria-busy="true"><SkeletonRows rows={4} height={64} /></div>}
      {isReady && scores.data && <RnsResult rns={scores.data} request={request} where={where} />}
      <details className={styles.how} open={isOpen}>
        <summary>How it is computed</summary>
        <OptionFields parameters={sets.allOptions} onChoose={sets.choose} />
      </details>
    </Page>
  );
}

const isOfSet = (place: string) => SIDES.some((side) => place.startsWith(side));

/** 'slug@number', as computations name it. */
function versionLabel({ slug, versions, latest }: GraphDetail, snapshot: string | null): string {
  const version = versions.find((one) => one.snapshot === (snapshot ?? latest));
  return version ? `${slug}@${version.number}` : "";
}

interface SetProps {
  side: SetSide;
  ids: string[];
  sets: ReturnType<typeof useEntitySets>;
  faults: FieldError[];
}

function SetFields({ side, ids, sets, faults }: SetProps) {
  const where = useGraphParams();
  const { title, hint, label } = SIDE_OPTIONS[side];
  const wrong = faults.filter(({ place }) => place.startsWith(side));
  const [picked, setPicked] = useState({ id: "", name: "" });
  const elsewhere = sets[side === "existing" ? "serendipity" : "existing"];
  const pick = ({ id, name }: { id: string; name: string }) => {
    setPicked({ id, name });
    if (!elsewhere.includes(id) && !ids.includes(id)) sets.add(side, id);
  };
  return (
    <section className={styles.set} aria-labelledby={`set-${side}`} data-wrong={wrong.length > 0 || undefined}>
      <h2 id={`set-${side}`}>{title}</h2>
      <p className={styles.quiet}>{hint}</p>
      {ids.map((id) => <EntityChip key={id} id={id} onRemove={() => sets.take(side, id)} />)}
      {ids.length < MAX_SET_SIZE && <EntityCombobox graphRef={where} label={label} onPick={pick} />}
      <p role="status" className={styles.bad}>{elsewhere.includes(picked.id) && `${picked.name} is already in the other set.`}</p>
      {wrong.map(({ place, message }) => <p key={`${place} ${message}`} role="alert" className={styles.bad}>{message}</p>)}
    </section>
  );
}
