import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { Button } from "@/components/Button";
import { DataTable } from "@/components/DataTable";
import { TypeWord } from "@/components/graph/TypeMark";
import { useWhere } from "@/components/graph/useWhere";
import { count, plural } from "@/lib/format";
import { entityPlace } from "@/lib/graphs/places";
import { EvidenceDetails } from "../EvidenceCard";
import { sideKey } from "../Relations";
import { evidenceWords } from "../words";
import styles from "./Neighbourhood.module.css";
import { edgeWords, joined, MOST_PER_SIDE, nodeName, type Scene, type SceneEdge, type SceneMore, type SceneNode } from "./scene";

interface Props {
  scene: Scene;
  selected: string;
  onSelect: (id: string) => void;
  onToggle: (id: string) => void;
}

/** Everything that the picture holds, row by row: whoever cannot see it misses nothing. */
export function Twin({ scene, selected, onSelect, onToggle }: Props) {
  const frame = useFollowing(selected);
  return (
    <div ref={frame} className={styles.twin}>
      <section aria-label="Entities">
        <h2>{plural(scene.entities, "entity", "entities")}</h2>
        <DataTable label="Entities shown" minWidth={500}>
          <thead>
            <tr>
              <th scope="col">Name and type</th>
              <th scope="col"><span className="visually-hidden">What can be done</span></th>
              <th scope="col">How it is linked</th>
              <th scope="col" data-numeric>Edges in all</th>
            </tr>
          </thead>
          <tbody>
            {scene.nodes.map((node) => (
              <NodeRow key={node.id} {...{ scene, node, onSelect, onToggle }} isSelected={node.id === selected} />
            ))}
          </tbody>
        </DataTable>
      </section>
      <section aria-label="Edges">
        <h2>{plural(scene.edges.length, "edge")}</h2>
        <DataTable label="Edges shown" minWidth={480}>
          <thead>
            <tr>
              <th scope="col">From, how, to</th>
              <th scope="col">What states it</th>
            </tr>
          </thead>
          <tbody>
            {scene.edges.map((edge) => (
              <EdgeRow key={edge.id} scene={scene} edge={edge} isSelected={edge.id === selected} onSelect={onSelect} />
            ))}
          </tbody>
        </DataTable>
      </section>
    </div>
  );
}

/** What is selected elsewhere comes into sight here. */
function useFollowing(selected: string) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const rows = [...(frame.current?.querySelectorAll<HTMLElement>("tr[data-row]") ?? [])];
    const row = rows.find((one) => one.dataset.row === selected);
    const holds = row?.contains(document.activeElement);
    if (row && !holds) row.scrollIntoView?.({ block: "nearest" });
  }, [selected]);
  return frame;
}

interface NodeProps {
  scene: Scene;
  node: SceneNode;
  isSelected: boolean;
  onSelect: (id: string) => void;
  onToggle: (id: string) => void;
}

function NodeRow({ scene, node, isSelected, onSelect, onToggle }: NodeProps) {
  const where = useWhere();
  const isMore = node.kind === "more";
  return (
    <tr data-row={node.id} data-selected={isSelected}>
      <th scope="row">
        <RowButton isSelected={isSelected} onSelect={() => onSelect(node.id)}>{nodeName(node)}</RowButton>
        <div className={styles.type}>{isMore ? <span className={styles.quiet}>not drawn</span> : <TypeWord type={node.type} />}</div>
      </th>
      <td data-action>
        <div className={styles.rowActions}>
          {isMore && <More node={node} onToggle={onToggle} />}
          {!isMore && node.id !== scene.focus && (
            <Button onPress={() => onToggle(node.id)} aria-label={`${node.isOpen ? "Collapse" : "Expand"} ${node.name}`}>
              {node.isOpen ? "Collapse" : "Expand"}
            </Button>
          )}
          {!isMore && <Link to={entityPlace(where, node.id)} aria-label={`Page of ${node.name}`}>Page</Link>}
        </div>
      </td>
      <td>{isMore ? `${node.ownerName} ${node.relation.phrase} ${count(node.rest)} more` : linkWords(scene, node.id)}</td>
      <td data-numeric>{isMore ? "" : count(node.degree)}</td>
    </tr>
  );
}

/** More of it is drawn, until the picture has as many of one side as it holds: then the list has them. */
function More({ node, onToggle }: { node: SceneMore; onToggle: (id: string) => void }) {
  const where = useWhere();
  const { id, owner, ownerName, relation, shown } = node;
  const what = `that ${ownerName} ${relation.phrase}`;
  if (shown < MOST_PER_SIDE) return <Button onPress={() => onToggle(id)} aria-label={`Show more ${what}`}>Show more</Button>;
  const all = `List all ${count(relation.count)}`;
  return <Link to={entityPlace(where, owner, { rel: sideKey(relation) })} aria-label={`${all} ${what}`}>{all}</Link>;
}

function linkWords(scene: Scene, id: string): string {
  if (id === scene.focus) return "the one in the middle";
  const links = joined(scene, id).filter(({ words }) => words !== "more, not drawn");
  const [first, ...others] = links;
  if (!first) return "";
  return others.length > 0 ? `${first.words}, and ${plural(others.length, "other edge")}` : first.words;
}

interface EdgeProps {
  scene: Scene;
  edge: SceneEdge;
  isSelected: boolean;
  onSelect: (id: string) => void;
}

function EdgeRow({ scene, edge, isSelected, onSelect }: EdgeProps) {
  const { from, phrase, to } = edgeWords(scene, edge);
  const words = <><bdi>{from}</bdi> <span className={styles.phrase}>{phrase}</span> <bdi>{to}</bdi></>;
  return (
    <tr data-row={edge.id} data-selected={isSelected}>
      <th scope="row">
        <RowButton isSelected={isSelected} onSelect={() => onSelect(edge.id)}>{words}</RowButton>
      </th>
      <td>
        <EvidenceDetails evidence={edge.evidence} words={evidenceWords(edge.evidence)} />
      </td>
    </tr>
  );
}

interface RowButtonProps {
  isSelected: boolean;
  onSelect: () => void;
  children: React.ReactNode;
}

function RowButton({ isSelected, onSelect, children }: RowButtonProps) {
  return (
    <button type="button" className={styles.rowButton} aria-pressed={isSelected} onClick={onSelect}>
      {children}
    </button>
  );
}
