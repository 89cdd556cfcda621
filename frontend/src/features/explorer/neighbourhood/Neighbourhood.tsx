import { Maximize, Redo2, Undo2 } from "lucide-react";
import { useRef, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { Button, ButtonLink } from "@/components/Button";
import { onDemand } from "@/components/onDemand";
import { LoadError } from "@/components/QueryBoundary";
import { SegmentedControl } from "@/components/SegmentedControl";
import { SkeletonRows } from "@/components/SkeletonRows";
import { useAnnouncer } from "@/components/useAnnouncer";
import { entityUrl, graphUrl } from "@/domains/graphs/graphUrls";
import { TypeIcon } from "@/domains/graphs/TypeIcon";
import { useGraphParams } from "@/domains/graphs/useGraphParams";
import { formatCount } from "@/lib/format";
import { useUrlParams } from "@/lib/useUrlParams";
import type { Graph } from "../api";
import { UndatedNote } from "../CutoffControl";
import { ExportMenu } from "../ExportMenu";
import { standalonePhrase } from "../labels";
import { relationKey } from "../Relations";
import type { CanvasHandle } from "./Canvas";
import { toggleEntity, withHiddenRelations, withLimit } from "./expansion";
import { graphCredit, toPng, toSvg } from "@/domains/graphs/drawing/imageExport";
import { nodeName } from "@/domains/graphs/drawing/picture";
import styles from "./Neighbourhood.module.css";
import { NeighbourhoodTable } from "./NeighbourhoodTable";
import { sceneHas, MAX_NODES, MAX_PER_SIDE, MORE_STEP, type Scene } from "./scene";
import { SceneViewContext } from "./sceneView";
import { SelectedCard } from "./SelectedCard";
import { useExpandedNodes, type ExpandedNodes } from "./useExpandedNodes";
import { useScene, type SceneState } from "./useScene";
import { useSelection } from "./useSelection";
import { useUrlState } from "./useUrlState";

const Canvas = onDemand(async () => (await import("./Canvas")).default);

type ViewMode = "graph" | "table";
const VIEW_MODES: { value: ViewMode; label: string }[] = [
  { value: "graph", label: "Graph" },
  { value: "table", label: "Table" },
];

interface Props {
  graph: Graph;
  focus: string;
  /** Beside the details of the entity, where only picture or table fits. */
  isBeside?: boolean;
  /** Picture and table at once. */
  isBoth?: boolean;
}

/** What is near an entity, as a picture and as a table: one selection, one history. */
export function Neighbourhood({ graph, focus, isBeside = false, isBoth = false }: Props) {
  const where = useGraphParams();
  const address = useUrlState();
  const openings = useExpandedNodes(address);
  const read = useScene(where, focus, openings.expansion);
  const scene = useSettledScene(read);
  const [selectedId, select] = useSelection(focus, address);
  const [params, changeParams] = useUrlParams();
  const show: ViewMode = params.get("show") === "table" ? "table" : "graph";
  const setShow = (mode: ViewMode) => changeParams({ show: mode === "table" ? mode : null });
  const canvas = useRef<CanvasHandle>(null);
  if (!scene) return read.error ? <LoadError error={read.error} onRetry={read.retry} /> : <NeighbourhoodSkeleton />;
  const hasPicture = isBoth || show === "graph";
  const selected = sceneHas(scene, selectedId) ? selectedId : focus;
  return (
    <div className={styles.neighbourhood} data-both={isBoth || undefined}>
      <div className={styles.tools}>
        {!isBoth && <SegmentedControl label="View" options={VIEW_MODES} value={show} onChange={setShow} />}
        <Toolbar {...{ graph, scene, read, openings, selected, isBeside }} canvas={hasPicture ? canvas : null} />
      </div>
      {read.error && <LoadError error={read.error} onRetry={read.retry} />}
      <NeighbourhoodView {...{ scene, selected, select, openings, canvas }} show={isBoth ? "both" : show} />
      <Legend scene={scene} relations={read.relations} openings={openings} />
      <UndatedNote undated={read.undated} of={scene.nodes[0] ? nodeName(scene.nodes[0]) : undefined} />
    </div>
  );
}

function NeighbourhoodSkeleton() {
  return <div aria-busy="true" className={styles.waiting}><SkeletonRows rows={6} height={56} /></div>;
}

/** While more is read, what was whole stays; nothing is drawn half. */
function useSettledScene({ scene, isLoading, error }: SceneState): Scene | null {
  const [settled, setSettled] = useState<Scene | null>(null);
  const isWhole = scene !== null && (!isLoading || error !== null);
  if (isWhole && settled !== scene) setSettled(scene);
  return isWhole ? scene : settled;
}

interface ToolbarProps {
  graph: Graph;
  scene: Scene;
  read: SceneState;
  openings: ExpandedNodes;
  selected: string;
  canvas: React.RefObject<CanvasHandle | null> | null;
  isBeside: boolean;
}

function Toolbar({ graph, scene, read, openings, selected, canvas, isBeside }: ToolbarProps) {
  const where = useGraphParams();
  const [params] = useSearchParams();
  const { undo, redo } = openings;
  const name = scene.nodes[0] ? nodeName(scene.nodes[0]) : scene.focus;
  const version = graph.versions.find(({ snapshot }) => snapshot === read.snapshot);
  const picture = async (kind: "svg" | "png") => {
    const drawn = canvas?.current?.picture();
    if (!drawn) throw new Error("The graph is not drawn yet.");
    const svg = toSvg(scene, drawn.positions, drawn.colours, {
      title: `What is near ${name}`,
      line: graphCredit({
        graph: graph.name,
        version: version ? `version ${version.number}` : "version unknown",
        snapshot: read.snapshot ?? "",
        licence: graph.licence ?? "",
      }),
    });
    return kind === "png" ? toPng(svg) : new Blob([svg], { type: "image/svg+xml" });
  };
  return (
    <div className={styles.toolGroup}>
      {/* aria-disabled only: after the last undo the focus stays on the button. */}
      <Button size="icon" aria-label="Undo" onPress={() => undo?.()} aria-disabled={!undo}><Undo2 size={16} aria-hidden /></Button>
      <Button size="icon" aria-label="Redo" onPress={() => redo?.()} aria-disabled={!redo}><Redo2 size={16} aria-hidden /></Button>
      <ExportMenu
        graph={graph}
        snapshot={read.snapshot ?? ""}
        part={{ ids: scene.nodes.flatMap((node) => (node.kind === "entity" ? [node.id] : [])) }}
        name={scene.focus}
        picture={canvas ? picture : undefined}
      />
      {isBeside && (
        <ButtonLink to={graphUrl(where, "/canvas", largerLimit(params, scene.focus, selected))} size="icon" aria-label="Larger view with table">
          <Maximize size={16} aria-hidden />
        </ButtonLink>
      )}
    </div>
  );
}

/** The same neighbourhood on a page of its own. */
function largerLimit(params: URLSearchParams, focus: string, selected: string): Record<string, string[]> {
  const shared = ["open", "more", "hide"].map((name) => [name, params.getAll(name)] as const);
  return { focus: [focus], ...Object.fromEntries(shared), sel: selected === focus ? [] : [selected] };
}

interface ViewProps {
  scene: Scene;
  selected: string;
  select: (id: string) => void;
  openings: ExpandedNodes;
  show: ViewMode | "both";
  canvas: React.RefObject<CanvasHandle | null>;
}

function NeighbourhoodView({ scene, selected, select, openings, show, canvas }: ViewProps) {
  const where = useGraphParams();
  const navigate = useNavigate();
  const { announce, region } = useAnnouncer();
  const { expansion, change, undo, redo } = openings;

  const nodeOf = (id: string) => scene.nodes.find((one) => one.id === id);
  const toggle = (id: string) => {
    const node = nodeOf(id);
    if (!node || id === scene.focus) return;
    if (node.kind === "entity") {
      change(toggleEntity(expansion, id));
      return announce(node.isOpen ? `${node.name} collapsed` : `${node.name} opened`);
    }
    if (node.shown >= MAX_PER_SIDE) return enter(id);
    change(withLimit(expansion, node.side, Math.min(MAX_PER_SIDE, node.shown + MORE_STEP)));
    announce(`${Math.min(MORE_STEP, node.rest)} more drawn`);
  };
  const enter = (id: string) => {
    const node = nodeOf(id);
    if (node?.kind === "entity") void navigate(entityUrl(where, id));
    else if (node) void navigate(entityUrl(where, node.owner, { rel: relationKey(node.relation) }));
  };
  const view = { scene, selected, onSelect: select, onToggle: toggle };
  return (
    <SceneViewContext value={view}>
      <div className={styles.shown}>
        {show !== "table" && (
          <div className={styles.pictured}>
            <Canvas {...view} onEnter={enter} onUndo={undo} onRedo={redo} announce={announce} handle={canvas} waiting={<NeighbourhoodSkeleton />} />
            <SelectedCard />
          </div>
        )}
        {show !== "graph" && <NeighbourhoodTable />}
        {region}
      </div>
    </SceneViewContext>
  );
}

interface LegendProps {
  scene: Scene;
  relations: SceneState["relations"];
  openings: ExpandedNodes;
}

/** What the signs mean; a relation is hidden and shown again by its button. */
function Legend({ scene, relations, openings: { expansion, change } }: LegendProps) {
  const types = [...new Set(scene.nodes.flatMap((node) => (node.kind === "entity" ? [node.type] : [])))];
  const { hiddenRelations: hidden } = expansion;
  const toggle = (relation: string) =>
    change(withHiddenRelations(expansion, hidden.includes(relation) ? hidden.filter((one) => one !== relation) : [...hidden, relation]));
  return (
    <div className={styles.legend}>
      <ul aria-label="Signs">{types.map((type) => <li key={type}><TypeIcon type={type} /> {type}</li>)}</ul>
      <div role="group" aria-label="Relations shown" className={styles.filters}>
        {relations.map(({ relation, phrase }) => (
          <button key={relation} type="button" aria-pressed={!hidden.includes(relation)} onClick={() => toggle(relation)}>
            {standalonePhrase(phrase)}
          </button>
        ))}
      </div>
      <p role="status">
        {formatCount(scene.shown)} of {formatCount(scene.all)} edges shown
        {scene.isFull && `. ${MAX_NODES} is the maximum: collapse one entity to see another.`}
      </p>
    </div>
  );
}
