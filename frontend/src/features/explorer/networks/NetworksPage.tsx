import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CheckboxChoiceGroup } from "@/components/ChoiceGroup";
import { EmptyState } from "@/components/EmptyState";
import { Page } from "@/components/Page";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { useUrlParams } from "@/lib/useUrlParams";
import { graphsQuery, networksQuery, type Graph } from "../api";
import { NetworkTables } from "./NetworkTables";
import styles from "./Networks.module.css";

const LEAST = 2;
const MOST = 4;

/** Curated, co-occurring and text-mined networks side by side. */
export function NetworksPage() {
  const graphs = useQuery(graphsQuery);
  return (
    <Page
      title="Compare networks"
      parent={{ to: "/explore", label: "Explore" }}
      width="wide"
      intro="How the links of two to four graphs are spread over entities, which entities have the most, and what the graphs share. Links are simple and undirected."
    >
      <QueryBoundary query={graphs} skeleton={<SkeletonRows rows={4} height={44} />}>
        {(all) => <Choice graphs={all.filter(({ latest }) => latest)} />}
      </QueryBoundary>
    </Page>
  );
}

function Choice({ graphs }: { graphs: Graph[] }) {
  const [params, change] = useUrlParams();
  const known = new Set(graphs.map(({ slug }) => slug));
  const chosen = [...new Set(params.getAll("graph"))].filter((slug) => known.has(slug)).slice(0, MOST);
  if (graphs.length < LEAST) return <EmptyState>A comparison needs two graphs. A coordinator can import another one, such as a text-mined network.</EmptyState>;
  return (
    <div className={styles.page}>
      <CheckboxChoiceGroup
        label="Graphs"
        options={graphs.map(({ slug, name }) => ({ value: slug, label: <bdi>{name}</bdi>, isDisabled: chosen.length === MOST && !chosen.includes(slug) }))}
        value={chosen}
        onChange={(slugs) => change({ graph: slugs })}
      />
      {chosen.length < LEAST ? <p role="status">Choose two to four graphs.</p> : <Compared slugs={chosen} />}
    </div>
  );
}

function Compared({ slugs }: { slugs: string[] }) {
  const query = useQuery({ ...networksQuery(slugs), placeholderData: keepPreviousData });
  return (
    <QueryBoundary query={query} skeleton={<SkeletonRows rows={10} height={44} />}>
      {(compared) => <NetworkTables compared={compared} />}
    </QueryBoundary>
  );
}
