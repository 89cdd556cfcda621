import { useQueries } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router";
import { DataTable } from "@/components/DataTable";
import { Empty } from "@/components/Empty";
import { Failure } from "@/components/Loadable";
import { Page } from "@/components/Page";
import { SkeletonRows } from "@/components/SkeletonRows";
import { Chosen } from "@/components/graph/Chosen";
import { EntityBox } from "@/components/graph/EntityBox";
import { GraphFrame } from "@/components/graph/GraphFrame";
import { TypeWord } from "@/components/graph/TypeMark";
import { useWhere } from "@/components/graph/useWhere";
import { count, plural } from "@/lib/format";
import { entityPlace } from "@/lib/graphs/places";
import { entityQuery, neighboursQuery, type Entity, type EntityBrief, type Graph } from "./api";
import { comparedKey, compareSide, sidesOfAll, type Compare, type Compared } from "./comparing";
import styles from "./Compare.module.css";
import { ExportMenu } from "./ExportMenu";
import { SaveView } from "./SaveView";
import { alone } from "./words";

const MOST = 4;
/** As many as one page of the server holds. */
const READ = 200;
const LISTED = 12;
/** What the field asks for, by how many there are. */
const NEXT = ["First entity", "Second entity"];

/** Two to four entities side by side: what they share, and what each has alone. */
export function ComparePage() {
  return <GraphFrame>{(graph) => <Comparing graph={graph} />}</GraphFrame>;
}

function Comparing({ graph }: { graph: Graph }) {
  const where = useWhere();
  const [params, setParams] = useSearchParams();
  const ids = [...new Set(params.getAll("id"))].slice(0, MOST);
  const { all, isReading, error, retry } = useCompared(ids);
  const setIds = (wanted: string[]) => {
    const next = new URLSearchParams(params);
    next.delete("id");
    for (const id of wanted) next.append("id", id);
    setParams(next, { replace: true });
  };
  const first = all[0]?.entity;
  return (
    <Page
      title="Compare"
      width="wide"
      lead="Two to four entities side by side: the neighbours that they share, and those that each has alone."
      actions={first && all.length > 1 && (
        <>
          <SaveView suggested={all.map(({ entity }) => entity.name).join(", ")} snapshot={first.snapshot} />
          <ExportMenu graph={graph} snapshot={first.snapshot} part={{ ids: exported(all) }} name={ids.join(" ")} />
        </>
      )}
    >
      <div className={styles.chosen}>
        {ids.map((id) => <Chosen key={id} id={id} onRemove={() => setIds(ids.filter((other) => other !== id))} />)}
        {ids.length < MOST && (
          <EntityBox where={where} label={NEXT[ids.length] ?? "One more entity"} onPick={({ id }) => setIds([...new Set([...ids, id])])} />
        )}
      </div>
      {error && <Failure error={error} onRetry={retry} />}
      {ids.length < 2 && <Empty>Choose {ids.length === 1 ? "one more entity" : "two entities"}: two drugs of a class, for example.</Empty>}
      {ids.length > 1 && isReading && <div aria-busy="true"><SkeletonRows rows={6} height={56} /></div>}
      {ids.length > 1 && !isReading && all.length > 1 && <Sides all={all} />}
    </Page>
  );
}

function exported(all: Compare[]): string[] {
  const neighbours = all.flatMap(({ pages }) => [...pages.values()].flatMap((page) => page.results.map(({ entity }) => entity.id)));
  return [...new Set([...all.map(({ entity }) => entity.id), ...neighbours])].slice(0, 300);
}

function useCompared(ids: string[]) {
  const where = useWhere();
  const entities = useQueries({ queries: ids.map((id) => entityQuery(where, id)) });
  const wanted = entities.flatMap(({ data }) => data?.relations.map((side) => ({ entity: data, side })) ?? []);
  const pages = useQueries({ queries: wanted.map(({ entity, side }) => neighboursQuery(where, entity.id, side, READ)) });
  const all = entities.flatMap(({ data }): Compare[] => (data ? [{ entity: data, pages: pagesOf(data) }] : []));
  const queries = [...entities, ...pages];

  function pagesOf(entity: Entity): Compare["pages"] {
    return new Map(
      wanted.flatMap(({ entity: owner, side }, at) => {
        const page = pages[at]?.data;
        return owner === entity && page ? [[comparedKey(side), page] as const] : [];
      }),
    );
  }
  return {
    all,
    isReading: queries.some(({ isPending }) => isPending) && !queries.some(({ isError }) => isError),
    error: queries.find(({ isError }) => isError)?.error ?? null,
    retry: () => {
      for (const query of queries) if (query.isError) void query.refetch();
    },
  };
}

function Sides({ all }: { all: Compare[] }) {
  const sides = sidesOfAll(all.map(({ entity }) => entity)).map((side) => compareSide(side, all));
  const ordered = sides.toSorted((a, b) => b.shared.length - a.shared.length || a.phrase.localeCompare(b.phrase));
  const names = all.map(({ entity }) => entity.name);
  return (
    <>
      <Overview sides={ordered} all={all} />
      {ordered.map((side) => <SideSection key={side.key} side={side} names={names} />)}
    </>
  );
}

function Overview({ sides, all }: { sides: Compared[]; all: Compare[] }) {
  return (
    <DataTable label="Shared and own neighbours by relation">
      <thead>
        <tr>
          <th scope="col">Relation</th>
          {all.map(({ entity }) => (
            <th key={entity.id} scope="col" data-numeric>{entity.name}</th>
          ))}
          <th scope="col" data-numeric>Shared</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">Type</th>
          {all.map(({ entity }) => <td key={entity.id} data-numeric><TypeWord type={entity.type} /></td>)}
          <td />
        </tr>
        {sides.map((side) => (
          <tr key={side.key}>
            <th scope="row"><a href={`#${sideId(side)}`}>{alone(side.phrase)}</a></th>
            {side.counts.map((value, at) => <td key={at} data-numeric>{value ? count(value) : "none"}</td>)}
            <td data-numeric>{side.shared.length ? count(side.shared.length) : "none"}</td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

const sideId = ({ key }: Compared) => `side-${key.replaceAll(/[^\w-]/g, "-")}`;

function SideSection({ side, names }: { side: Compared; names: string[] }) {
  return (
    <section id={sideId(side)} aria-labelledby={`${sideId(side)}-name`} className={styles.side}>
      <h2 id={`${sideId(side)}-name`}>{alone(side.phrase)}</h2>
      {side.isPartial && <p className={styles.quiet}>Compared are the first {READ} of each: some have more.</p>}
      <div className={styles.columns}>
        <div className={styles.shared}>
          <h3>{side.shared.length > 0 ? `Shared, ${plural(side.shared.length, "neighbour")}` : "Nothing shared"}</h3>
          <NameList
            entities={side.shared.map(({ entity }) => entity)}
            notes={side.shared.map(({ holders }) => (holders.length === names.length ? "" : holders.map((at) => names[at]).join(" and ")))}
          />
        </div>
        {side.alone.map((own, at) => (
          <div key={at}>
            <h3>{own.length > 0 ? `${names[at]} alone, ${count(own.length)}` : `${names[at]} alone: none`}</h3>
            <NameList entities={own} />
          </div>
        ))}
      </div>
    </section>
  );
}

function NameList({ entities, notes = [] }: { entities: EntityBrief[]; notes?: string[] }) {
  const rest = entities.slice(LISTED);
  const items = (from: number, some: EntityBrief[]) => (
    <ul>
      {some.map((entity, at) => <NameItem key={entity.id} entity={entity} note={notes[from + at]} />)}
    </ul>
  );
  return (
    <>
      {items(0, entities.slice(0, LISTED))}
      {rest.length > 0 && (
        <details className={styles.rest}>
          <summary>{count(rest.length)} more</summary>
          {items(LISTED, rest)}
        </details>
      )}
    </>
  );
}

function NameItem({ entity, note }: { entity: EntityBrief; note: string | undefined }) {
  const where = useWhere();
  return (
    <li>
      <Link to={entityPlace(where, entity.id)}>{entity.name}</Link>
      {note && <span className={styles.quiet}> {note}</span>}
    </li>
  );
}
