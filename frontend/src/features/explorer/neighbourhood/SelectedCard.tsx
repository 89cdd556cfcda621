import { Link } from "react-router";
import { Button, ButtonLink } from "@/components/Button";
import { entityUrl, pathsUrl } from "@/domains/graphs/graphUrls";
import { TypeLabel } from "@/domains/graphs/TypeIcon";
import { useGraphParams } from "@/domains/graphs/useGraphParams";
import { formatCount, formatPlural } from "@/lib/format";
import { EvidenceCard } from "../EvidenceCard";
import { relationKey } from "../Relations";
import styles from "./Neighbourhood.module.css";
import { edgeLabel, MAX_PER_SIDE, MORE_STEP, type SceneEdge, type SceneEntity, type SceneMoreNode } from "./scene";
import { useSceneView } from "./sceneView";

/** What is selected, and what can be done with it: the same by mouse, touch and key. */
export function SelectedCard() {
  const { scene, selected } = useSceneView();
  const edge = scene.edges.find(({ id }) => id === selected);
  const node = scene.nodes.find(({ id }) => id === selected);
  if (!edge && !node) return null;
  return (
    <section className={styles.card} aria-label="Selected">
      {edge && <EdgeCard edge={edge} />}
      {node?.kind === "entity" && <NodeCard node={node} />}
      {node?.kind === "more" && <MoreCard node={node} />}
    </section>
  );
}

function EdgeCard({ edge }: { edge: SceneEdge }) {
  const { scene } = useSceneView();
  const { from, phrase, to } = edgeLabel(scene, edge);
  return (
    <>
      <p><b>{from}</b> {phrase} <b>{to}</b></p>
      <EvidenceCard evidence={edge.evidence} />
    </>
  );
}

function NodeCard({ node }: { node: SceneEntity }) {
  const { scene, onToggle } = useSceneView();
  const where = useGraphParams();
  const isFocus = node.id === scene.focus;
  const between = scene.edges.filter(({ source, target }) =>
    !isFocus && [source, target].includes(node.id) && [source, target].includes(scene.focus),
  );
  return (
    <>
      <p className={styles.cardHead}>
        <b>{node.name}</b> <TypeLabel type={node.type} />
        <span className={styles.quiet}>{formatPlural(node.degree, "edge")}</span>
      </p>
      {between.map((edge) => {
        const { from, phrase, to } = edgeLabel(scene, edge);
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
          <ButtonLink to={entityUrl(where, node.id)}>Open its page</ButtonLink>
          <ButtonLink to={pathsUrl(where, scene.focus, [node.id])}>Paths to it</ButtonLink>
        </div>
      )}
    </>
  );
}

function MoreCard({ node }: { node: SceneMoreNode }) {
  const { onToggle } = useSceneView();
  const where = useGraphParams();
  const adds = Math.min(MORE_STEP, node.rest);
  return (
    <>
      <p><b>{node.ownerName}</b> {node.relation.phrase} {formatCount(node.rest)} more than are drawn.</p>
      <div className={styles.cardActions}>
        {node.shown < MAX_PER_SIDE && <Button onPress={() => onToggle(node.id)}>Draw {adds} more</Button>}
        <Link to={entityUrl(where, node.owner, { rel: relationKey(node.relation) })}>List all {formatCount(node.relation.count)}</Link>
      </div>
    </>
  );
}
