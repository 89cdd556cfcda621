import { useQueries } from "@tanstack/react-query";
import { Link } from "react-router";
import { DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { Page } from "@/components/Page";
import { LoadError } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { EntityChip } from "@/domains/graphs/EntityChip";
import { EntityCombobox } from "@/domains/graphs/EntityCombobox";
import { entityUrl, pathTestUrl } from "@/domains/graphs/graphUrls";
import { TypeLabel } from "@/domains/graphs/TypeIcon";
import { useGraphParams } from "@/domains/graphs/useGraphParams";
import { combineQueries } from "@/lib/combineQueries";
import { formatCount, formatPlural } from "@/lib/format";
import { useUrlParams } from "@/lib/useUrlParams";
import { entityQuery, neighboursQuery, type Entity, type EntityBrief, type Graph } from "./api";
import styles from "./Compare.module.css";
import { ExplorerFrame } from "./ExplorerFrame";
import { ExportMenu } from "./ExportMenu";
import { standalonePhrase } from "./labels";
import { relationKey, compareRelation, allRelations, type ComparedEntity, type RelationComparison } from "./relationComparison";
import { byImportance } from "./relationOrder";
import { SaveViewButton } from "./SaveView";

const MAX_ENTITIES = 4;
/** As many as one page of the server holds. */
const MAX_NEIGHBOURS_READ = 200;
const INITIAL_NAMES = 6;
/** The label of the field, by how many there are. */
const NAMES_STEP = ["First entity", "Second entity"];

/** Two to four entities side by side: what they share, and what each has alone. */
export function ComparePage() {
  return <ExplorerFrame current="Compare">{(graph) => <Comparison graph={graph} />}</ExplorerFrame>;
}

function Comparison({ graph }: { graph: Graph }) {
  const where = useGraphParams();
  const [params, changeParams] = useUrlParams();
  const ids = [...new Set(params.getAll("id"))].slice(0, MAX_ENTITIES);
  const { all, isReading, error, retry } = useComparison(ids);
  const setIds = (selected: string[]) => changeParams({ id: selected });
  const [from, to] = ids;
  const first = all[0]?.entity;
  return (
    <Page
      title="Compare"
      width="wide"
      intro="Compare two to four entities by the neighbours that they share and those that only one has."
      actions={first && all.length > 1 && (
        <>
          <SaveViewButton suggested={all.map(({ entity }) => entity.name).join(", ")} snapshot={first.snapshot} />
          <ExportMenu graph={graph} snapshot={first.snapshot} part={{ ids: exportSelection(all) }} name={ids.join(" ")} />
        </>
      )}
    >
      <div className={styles.chosen}>
        {ids.map((id) => <EntityChip key={id} id={id} onRemove={() => setIds(ids.filter((other) => other !== id))} />)}
        {ids.length < MAX_ENTITIES && (
          <EntityCombobox graphRef={where} label={NAMES_STEP[ids.length] ?? "One more entity"} onPick={({ id }) => setIds([...new Set([...ids, id])])} />
        )}
      </div>
      {error && <LoadError error={error} onRetry={retry} />}
      {ids.length < 2 && <EmptyState>Choose {ids.length === 1 ? "one more entity" : "two entities"}: two drugs of a class, for example.</EmptyState>}
      {ids.length > 1 && isReading && <div aria-busy="true"><SkeletonRows rows={6} height={56} /></div>}
      {ids.length > 1 && !isReading && all.length > 1 && <ComparisonTable all={all} />}
      {from && to && all.length === 2 && <p><Link to={pathTestUrl(where, from, to)}>Compare the paths between the two with permuted graphs</Link></p>}
    </Page>
  );
}

function exportSelection(all: ComparedEntity[]): string[] {
  const neighbours = all.flatMap(({ pages }) => [...pages.values()].flatMap((page) => page.results.map(({ entity }) => entity.id)));
  return [...new Set([...all.map(({ entity }) => entity.id), ...neighbours])].slice(0, 300);
}

function useComparison(ids: string[]) {
  const where = useGraphParams();
  const entities = useQueries({ queries: ids.map((id) => entityQuery(where, id)) });
  const sides = entities.flatMap(({ data }) => data?.relations.map((side) => ({ entity: data, side })) ?? []);
  const pages = useQueries({ queries: sides.map(({ entity, side }) => neighboursQuery(where, entity.id, side, MAX_NEIGHBOURS_READ)) });
  const all = entities.flatMap(({ data }): ComparedEntity[] => (data ? [{ entity: data, pages: pagesOf(data) }] : []));
  const { isComplete, error, retry } = combineQueries<unknown>([...entities, ...pages]);

  function pagesOf(entity: Entity): ComparedEntity["pages"] {
    return new Map(
      sides.flatMap(({ entity: owner, side }, at) => {
        const page = pages[at]?.data;
        return owner === entity && page ? [[relationKey(side), page] as const] : [];
      }),
    );
  }
  return { all, isReading: !isComplete && !error, error, retry };
}

/** One row for each relation that some entity has, the most important first; one column for each entity. */
function ComparisonTable({ all }: { all: ComparedEntity[] }) {
  const entities = all.map(({ entity }) => entity);
  const rows = byImportance(allRelations(entities)).map((side) => compareRelation(side, all)).filter(({ counts }) => counts.some(Boolean));
  const shared = rows.reduce((sum, row) => sum + row.shared.length, 0);
  return (
    <>
      <p>
        {shared > 0 ? <>{formatPlural(shared, "neighbour")} shared, marked like <span className={styles.shared}>this</span>.</> : "They share no neighbour."}
        {rows.some(({ isPartial }) => isPartial) && ` Only the first ${MAX_NEIGHBOURS_READ} neighbours of each are compared.`}
      </p>
      <DataTable
        label="Neighbours by relation"
        minWidth={all.length > 2 ? 160 + 200 * all.length : 0}
        columns={["Relation", ...entities.map(({ id, name }) => ({ label: <bdi>{name}</bdi>, key: id }))]}
      >
        <tr>
          <th scope="row">Type</th>
          {entities.map(({ id, type }) => <td key={id}><TypeLabel type={type} /></td>)}
        </tr>
        {rows.map((row) => (
          <tr key={row.key} className={styles.row}>
            <th scope="row">{standalonePhrase(row.phrase)}</th>
            {entities.map(({ id }, at) => <td key={id}><NameCell row={row} at={at} entities={entities} /></td>)}
          </tr>
        ))}
      </DataTable>
    </>
  );
}

/** The neighbours of one entity: those that it shares come first. */
function NameCell({ row, at, entities }: { row: RelationComparison; at: number; entities: Entity[] }) {
  const shared = row.shared.filter(({ holders }) => holders.includes(at));
  const names = [
    ...shared.map(({ entity, holders }) => ({ entity, note: sharedNote(holders, at, entities) })),
    ...(row.exclusive[at] ?? []).map((entity) => ({ entity, note: null })),
  ];
  if (names.length === 0) return <span className={styles.quiet}>none</span>;
  const items = (some: typeof names) => (
    <ul>{some.map(({ entity, note }) => <NameItem key={entity.id} entity={entity} note={note} isCompared={entities.some(({ id }) => id === entity.id)} />)}</ul>
  );
  const rest = names.slice(INITIAL_NAMES);
  return (
    <>
      {items(names.slice(0, INITIAL_NAMES))}
      {rest.length > 0 && <details className={styles.rest}><summary>{formatCount(rest.length)} more</summary>{items(rest)}</details>}
    </>
  );
}

/** Of more than two entities, those with which it is shared. */
function sharedNote(holders: number[], at: number, entities: Entity[]): string {
  if (holders.length === entities.length) return "shared";
  return `shared with ${holders.filter((other) => other !== at).map((other) => entities[other]?.name).join(" and ")}`;
}

function NameItem({ entity, note, isCompared }: { entity: EntityBrief; note: string | null; isCompared: boolean }) {
  const where = useGraphParams();
  return (
    <li>
      {isCompared
        ? <>{entity.name} <span className={styles.quiet}>compared here</span></>
        : <Link to={entityUrl(where, entity.id)} className={note === null ? undefined : styles.shared}>{entity.name}</Link>}
      {note === "shared" && <span className="visually-hidden"> shared</span>}
      {note !== null && note !== "shared" && <span className={styles.quiet}> {note}</span>}
    </li>
  );
}
