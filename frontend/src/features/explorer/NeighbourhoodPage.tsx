import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearchParams } from "react-router";
import { onDemand } from "@/components/onDemand";
import { Page, useFocusHeading } from "@/components/Page";
import { SkeletonRows } from "@/components/SkeletonRows";
import { EntityCombobox } from "@/domains/graphs/EntityCombobox";
import { entityUrl, neighbourhoodUrl } from "@/domains/graphs/graphUrls";
import { useGraphParams } from "@/domains/graphs/useGraphParams";
import { entityQuery, type GraphDetail } from "./api";
import styles from "./Entity.module.css";
import { CutoffControl } from "./CutoffControl";
import { ExplorerFrame } from "./ExplorerFrame";
import { SaveViewButton } from "./SaveView";
import { useWideScreen } from "./useWideScreen";

const Neighbourhood = onDemand(async () => (await import("./neighbourhood/Neighbourhood")).Neighbourhood);

/** The neighbourhood on a page of its own: picture and table side by side, or switched. */
export function NeighbourhoodPage() {
  const [params] = useSearchParams();
  const focus = params.get("focus");
  return <ExplorerFrame current="Neighbourhood">{(graph) => (focus ? <FocusedNeighbourhood key={focus} graph={graph} focus={focus} /> : <NoFocus />)}</ExplorerFrame>;
}

function NoFocus() {
  const where = useGraphParams();
  const navigate = useNavigate();
  return (
    <Page title="Neighbourhood" intro="Choose an entity to see what it is linked to.">
      <EntityCombobox graphRef={where} label="Entity" onPick={({ id }) => void navigate(neighbourhoodUrl(where, id))} />
    </Page>
  );
}

function FocusedNeighbourhood({ graph, focus }: { graph: GraphDetail; focus: string }) {
  const where = useGraphParams();
  const isWide = useWideScreen();
  const entity = useQuery(entityQuery(where, focus));
  const name = entity.data?.name ?? focus;
  const heading = useFocusHeading(`Near ${name}`);
  return (
    <div className={styles.whole}>
      <div className={styles.wholeTop}>
        <header className={styles.wholeHead}>
          <h1 ref={heading} tabIndex={-1}>Near <Link to={entityUrl(where, focus)}>{name}</Link></h1>
          {entity.data && <SaveViewButton suggested={`Near ${name}`} snapshot={entity.data.snapshot} />}
        </header>
        <CutoffControl graph={graph} />
      </div>
      <Neighbourhood graph={graph} focus={focus} isBoth={isWide} waiting={<div aria-busy="true"><SkeletonRows rows={6} height={56} /></div>} />
    </div>
  );
}
