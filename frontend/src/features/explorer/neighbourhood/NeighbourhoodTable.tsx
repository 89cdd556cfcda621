import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { Button } from "@/components/Button";
import { ACTIONS_COLUMN, DataTable } from "@/components/DataTable";
import { entityUrl } from "@/domains/graphs/graphUrls";
import { TypeLabel } from "@/domains/graphs/TypeIcon";
import { useGraphParams } from "@/domains/graphs/useGraphParams";
import { formatCount, formatPlural } from "@/lib/format";
import { nodeName } from "@/domains/graphs/drawing/picture";
import { EvidenceDetails } from "../EvidenceCard";
import { evidenceLabel, standalonePhrase } from "../labels";
import { relationKey } from "../Relations";
import styles from "./Neighbourhood.module.css";
import {
  edgeLabel,
  MAX_PER_SIDE,
  neighbourLinks,
  type Scene,
  type SceneEdge,
  type SceneMoreNode,
  type SceneNode,
} from "./scene";
import { useSceneView } from "./sceneView";

/** Everything that the picture holds, row by row: whoever cannot see it misses nothing. */
export function NeighbourhoodTable() {
  const { scene, selected } = useSceneView();
  const frame = useScrollToSelected(selected);
  const focus = scene.nodes.find(({ id }) => id === scene.focus);
  return (
    <div ref={frame} className={styles.twin}>
      <section aria-label="Entities">
        <h2>{formatPlural(scene.entities, "entity", "entities")}</h2>
        <DataTable
          label="Entities shown" minWidth={500}
          columns={["Name and type", ACTIONS_COLUMN, { label: <>How <bdi>{focus ? nodeName(focus) : scene.focus}</bdi> is linked to it</>, key: "link" }, { label: "Edges in all", isNumeric: true }]}
        >
          {scene.nodes.map((node) => <NodeRow key={node.id} node={node} />)}
        </DataTable>
      </section>
      <section aria-label="Edges">
        <h2>{formatPlural(scene.edges.length, "edge")}</h2>
        <DataTable label="Edges shown" minWidth={480} columns={["Edge", "Evidence"]}>
          {scene.edges.map((edge) => <EdgeRow key={edge.id} edge={edge} />)}
        </DataTable>
      </section>
    </div>
  );
}

/** What is selected elsewhere comes into sight here. */
function useScrollToSelected(selected: string) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const rows = [...(frame.current?.querySelectorAll<HTMLElement>("tr[data-row]") ?? [])];
    const row = rows.find((one) => one.dataset.row === selected);
    const holds = row?.contains(document.activeElement);
    if (row && !holds) row.scrollIntoView?.({ block: "nearest" });
  }, [selected]);
  return frame;
}

function NodeRow({ node }: { node: SceneNode }) {
  const where = useGraphParams();
  const { scene, selected, onToggle } = useSceneView();
  const isMore = node.kind === "more";
  return (
    <tr data-row={node.id} data-selected={node.id === selected}>
      <th scope="row">
        <RowButton id={node.id}>{nodeName(node)}</RowButton>
        <div className={styles.type}>{isMore ? <span className={styles.quiet}>not drawn</span> : <TypeLabel type={node.type} />}</div>
      </th>
      <td data-action>
        <div className={styles.rowActions}>
          {isMore && <MoreRow node={node} />}
          {!isMore && node.id !== scene.focus && (
            <Button onPress={() => onToggle(node.id)} aria-label={`${node.isOpen ? "Collapse" : "Expand"} ${node.name}`}>
              {node.isOpen ? "Collapse" : "Expand"}
            </Button>
          )}
          {!isMore && <Link to={entityUrl(where, node.id)} aria-label={`Page of ${node.name}`}>Page</Link>}
        </div>
      </td>
      <td>{isMore ? `${node.ownerName} ${node.relation.phrase} ${formatCount(node.rest)} more` : linkLabel(scene, node.id)}</td>
      <td data-numeric>{isMore ? "" : formatCount(node.degree)}</td>
    </tr>
  );
}

/** More of it is drawn, until the picture has as many of one side as it holds: then the list has them. */
function MoreRow({ node }: { node: SceneMoreNode }) {
  const where = useGraphParams();
  const { onToggle } = useSceneView();
  const { id, owner, ownerName, relation, shown } = node;
  const what = `that ${ownerName} ${relation.phrase}`;
  if (shown < MAX_PER_SIDE) return <Button onPress={() => onToggle(id)} aria-label={`Show more ${what}`}>Show more</Button>;
  const all = `List all ${formatCount(relation.count)}`;
  return <Link to={entityUrl(where, owner, { rel: relationKey(relation) })} aria-label={`${all} ${what}`}>{all}</Link>;
}

function linkLabel(scene: Scene, id: string): string {
  if (id === scene.focus) return "the centre";
  const links = neighbourLinks(scene, id).filter(({ words }) => words !== "more, not drawn");
  const direct = scene.edges.filter(({ source, target }) => [source, target].includes(scene.focus) && [source, target].includes(id));
  if (direct.length > 0) return directLabel(scene, direct, links.length - direct.length);
  const [first, ...others] = links;
  if (!first) return "";
  return others.length > 0 ? `${first.words}, and ${formatPlural(others.length, "other edge")}` : first.words;
}

/** The words from the focus, whose name the column has already. */
function directLabel(scene: Scene, direct: SceneEdge[], others: number): string {
  const focus = scene.nodes.find((node) => node.id === scene.focus);
  const phrases = direct.map((edge) => {
    const { from, phrase } = edgeLabel(scene, edge);
    return focus && from === nodeName(focus) ? standalonePhrase(phrase) : `${from} ${standalonePhrase(phrase)}`;
  });
  const words = phrases.join(", ");
  return others > 0 ? `${words}, and ${formatPlural(others, "other edge")}` : words;
}

function EdgeRow({ edge }: { edge: SceneEdge }) {
  const { scene, selected } = useSceneView();
  const { from, phrase, to } = edgeLabel(scene, edge);
  const words = <><bdi>{from}</bdi> <span className={styles.phrase}>{phrase}</span> <bdi>{to}</bdi></>;
  return (
    <tr data-row={edge.id} data-selected={edge.id === selected}>
      <th scope="row"><RowButton id={edge.id}>{words}</RowButton></th>
      <td><EvidenceDetails evidence={edge.evidence} summary={evidenceLabel(edge.evidence)} /></td>
    </tr>
  );
}

function RowButton({ id, children }: { id: string; children: React.ReactNode }) {
  const { selected, onSelect } = useSceneView();
  return (
    <button type="button" className={styles.rowButton} aria-pressed={id === selected} onClick={() => onSelect(id)}>
      {children}
    </button>
  );
}
