import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { Problem, type Fault } from "@/api/client";
import { Empty } from "@/components/Empty";
import { Chosen } from "@/components/graph/Chosen";
import { EntityBox } from "@/components/graph/EntityBox";
import { GraphFrame } from "@/components/graph/GraphFrame";
import { useWhere } from "@/components/graph/useWhere";
import { Page } from "@/components/Page";
import { SkeletonRows } from "@/components/SkeletonRows";
import { setsFilePlace } from "@/lib/graphs/places";
import type { GraphDetail } from "@/lib/graphs/reading";
import { CopyPinnedLink } from "./BenchActions";
import { rnsQuery, type RnsAsked } from "./api";
import { OptionFields } from "./HowComputed";
import { NotShown } from "./NotShown";
import { RnsResult } from "./RnsResult";
import styles from "./Rns.module.css";
import { EQUAL, writeWeights } from "./simplex";
import { useSets, type Side } from "./useSets";

/** RNS of two sets of one's own choosing, with each of its parts explained. */
export function RnsPage() {
  return <GraphFrame>{(graph) => <Measuring graph={graph} />}</GraphFrame>;
}

const MOST = 50;

const SIDES: Record<Side, { title: string; hint: string; label: string }> = {
  existing: { title: "Existing", hint: "What is known: drugs in use, for example.", label: "Add an existing entity" },
  serendipity: { title: "Serendipity", hint: "What might be a find beside them.", label: "Add a serendipitous entity" },
};

function Measuring({ graph }: { graph: GraphDetail }) {
  const where = useWhere();
  const sets = useSets();
  const [isOpen] = useState(Object.keys(sets.options).length > 0);
  const asked: RnsAsked = { existing: sets.existing, serendipity: sets.serendipity, options: sets.options };
  const isAsked = asked.existing.length > 0 && asked.serendipity.length > 0;
  const found = useQuery(rnsQuery(where, asked));
  const faults = found.error instanceof Problem ? found.error.body.errors : [];
  return (
    <Page
      title="Serendipity of two sets"
      width="wide"
      lead="RNS says how close one set of entities is to another, how little the one tells of the other, and how differently walks from them spread."
      actions={
        <>
          <Link to={setsFilePlace(where)}>Score a file of many sets</Link>
          {isAsked && <CopyPinnedLink pins={{ snapshot: where.snapshot ?? graph.latest ?? "", w: writeWeights(EQUAL) }} />}
        </>
      }
    >
      <div className={styles.sets}>
        {(["existing", "serendipity"] as const).map((side) => (
          <SetFields key={side} side={side} ids={sets[side]} sets={sets} faults={faults} />
        ))}
      </div>
      {!isAsked && <Empty>Choose at least one entity for each set. The numbers follow by themselves.</Empty>}
      {isAsked && found.isError && <NotShown error={found.error} onRetry={() => void found.refetch()} busy={found.isFetching} graph={namedVersion(graph, where.snapshot)} options={sets.options} />}
      {isAsked && found.isPending && <div aria-busy="true"><SkeletonRows rows={4} height={64} /></div>}
      {isAsked && found.data && <RnsResult rns={found.data} asked={asked} where={where} />}
      <details className={styles.how} open={isOpen}>
        <summary>How it is computed</summary>
        <OptionFields parameters={sets.allOptions} onChoose={sets.choose} />
      </details>
    </Page>
  );
}

/** 'slug@number', as computations name it. */
function namedVersion({ slug, versions, latest }: GraphDetail, snapshot: string | null): string {
  const version = versions.find((one) => one.snapshot === (snapshot ?? latest));
  return version ? `${slug}@${version.number}` : "";
}

interface SetProps {
  side: Side;
  ids: string[];
  sets: ReturnType<typeof useSets>;
  faults: Fault[];
}

function SetFields({ side, ids, sets, faults }: SetProps) {
  const where = useWhere();
  const { title, hint, label } = SIDES[side];
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
      {ids.map((id) => <Chosen key={id} id={id} onRemove={() => sets.take(side, id)} />)}
      {ids.length < MOST && <EntityBox where={where} label={label} onPick={pick} />}
      <p role="status" className={styles.bad}>{elsewhere.includes(picked.id) && `${picked.name} is in the other set already.`}</p>
      {wrong.map(({ place, message }) => <p key={`${place} ${message}`} className={styles.bad}>{message}</p>)}
    </section>
  );
}
