import { Link } from "react-router";
import { Button, ButtonLink } from "@/components/Button";
import { TypeWord } from "@/components/graph/TypeMark";
import { useWhere } from "@/components/graph/useWhere";
import { count, plural } from "@/lib/format";
import { entityPlace, pathsPlace } from "@/lib/graphs/places";
import { EvidenceCard } from "../EvidenceCard";
import { sideKey } from "../Relations";
import styles from "./Neighbourhood.module.css";
import { edgeWords, MOST_PER_SIDE, STEP, type Scene, type SceneEdge, type SceneEntity, type SceneMore } from "./scene";

interface Props {
  scene: Scene;
  selected: string;
  onToggle: (id: string) => void;
}

/** What is selected, and what can be done with it: the same by mouse, touch and key. */
export function SelectedCard({ scene, selected, onToggle }: Props) {
  const edge = scene.edges.find(({ id }) => id === selected);
  const node = scene.nodes.find(({ id }) => id === selected);
  if (!edge && !node) return null;
  return (
    <section className={styles.card} aria-label="Selected">
      {edge && <EdgeCard scene={scene} edge={edge} />}
      {node?.kind === "entity" && <NodeCard scene={scene} node={node} onToggle={onToggle} />}
      {node?.kind === "more" && <MoreCard node={node} onToggle={onToggle} />}
    </section>
  );
}

function EdgeCard({ scene, edge }: { scene: Scene; edge: SceneEdge }) {
  const { from, phrase, to } = edgeWords(scene, edge);
  return (
    <>
      <p><b>{from}</b> {phrase} <b>{to}</b></p>
      <EvidenceCard evidence={edge.evidence} />
    </>
  );
}

function NodeCard({ scene, node, onToggle }: { scene: Scene; node: SceneEntity; onToggle: (id: string) => void }) {
  const where = useWhere();
  const isFocus = node.id === scene.focus;
  const between = scene.edges.filter(({ source, target }) =>
    !isFocus && [source, target].includes(node.id) && [source, target].includes(scene.focus),
  );
  return (
    <>
      <p className={styles.cardHead}>
        <b>{node.name}</b> <TypeWord type={node.type} />
        <span className={styles.quiet}>{plural(node.degree, "edge")}</span>
      </p>
      {between.map((edge) => {
        const { from, phrase, to } = edgeWords(scene, edge);
        return (
          <details key={edge.id} className={styles.between}>
            <summary><bdi>{from}</bdi> {phrase} <bdi>{to}</bdi></summary>
            <EvidenceCard evidence={edge.evidence} />
          </details>
        );
      })}
      {!isFocus && (
        <div className={styles.cardActions}>
          <Button onPress={() => onToggle(node.id)}>{node.isOpen ? "Collapse" : "Expand"}</Button>
          <ButtonLink to={entityPlace(where, node.id)}>Open its page</ButtonLink>
          <ButtonLink to={pathsPlace(where, scene.focus, [node.id])}>Paths to it</ButtonLink>
        </div>
      )}
    </>
  );
}

function MoreCard({ node, onToggle }: { node: SceneMore; onToggle: (id: string) => void }) {
  const where = useWhere();
  const adds = Math.min(STEP, node.rest);
  return (
    <>
      <p><b>{node.ownerName}</b> {node.relation.phrase} {count(node.rest)} more than are drawn.</p>
      <div className={styles.cardActions}>
        {node.shown < MOST_PER_SIDE && <Button onPress={() => onToggle(node.id)}>Draw {adds} more</Button>}
        <Link to={entityPlace(where, node.owner, { rel: sideKey(node.relation) })}>List all {count(node.relation.count)}</Link>
      </div>
    </>
  );
}
