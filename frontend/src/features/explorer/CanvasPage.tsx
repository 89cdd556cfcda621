import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { Link, useSearchParams } from "react-router";
import { Empty } from "@/components/Empty";
import { Page, useArrival } from "@/components/Page";
import { SkeletonRows } from "@/components/SkeletonRows";
import { GraphFrame } from "@/components/graph/GraphFrame";
import { useWhere } from "@/components/graph/useWhere";
import { entityPlace } from "@/lib/graphs/places";
import { entityQuery, type Graph } from "./api";
import styles from "./Entity.module.css";
import { SaveView } from "./SaveView";
import { useWide } from "./useWide";

const Neighbourhood = lazy(async () => ({ default: (await import("./neighbourhood/Neighbourhood")).Neighbourhood }));

/** The neighbourhood with all the room there is: picture and table side by side, or one after the other. */
export function CanvasPage() {
  const [params] = useSearchParams();
  const focus = params.get("focus");
  return <GraphFrame>{(graph) => (focus ? <Focused key={focus} graph={graph} focus={focus} /> : <Unfocused />)}</GraphFrame>;
}

function Unfocused() {
  return (
    <Page title="Neighbourhood">
      <Empty>Search for an entity above: what is near it will be drawn here.</Empty>
    </Page>
  );
}

function Focused({ graph, focus }: { graph: Graph; focus: string }) {
  const where = useWhere();
  const isWide = useWide();
  const entity = useQuery(entityQuery(where, focus));
  const name = entity.data?.name ?? focus;
  const heading = useArrival(`Near ${name}`);
  return (
    <div className={styles.whole}>
      <header className={styles.wholeHead}>
        <h1 ref={heading} tabIndex={-1}>
          Near <Link to={entityPlace(where, focus)}>{name}</Link>
        </h1>
        {entity.data && <SaveView suggested={`Near ${name}`} snapshot={entity.data.snapshot} />}
      </header>
      <Suspense fallback={<div aria-busy="true"><SkeletonRows rows={6} height={56} /></div>}>
        <Neighbourhood graph={graph} focus={focus} isBoth={isWide} />
      </Suspense>
    </div>
  );
}
