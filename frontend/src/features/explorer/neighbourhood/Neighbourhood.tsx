import { Filter, Maximize, Redo2, Undo2 } from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { Button, ButtonLink } from "@/components/Button";
import { Failure } from "@/components/Loadable";
import { Menu, MenuItem, MenuSection } from "@/components/Menu";
import { Segments } from "@/components/Segments";
import { SkeletonRows } from "@/components/SkeletonRows";
import { TypeMark } from "@/components/graph/TypeMark";
import { useWhere } from "@/components/graph/useWhere";
import { useAnnouncer } from "@/components/useAnnouncer";
import { count } from "@/lib/format";
import { entityPlace, place } from "@/lib/graphs/places";
import type { Graph } from "../api";
import { ExportMenu } from "../ExportMenu";
import { sideKey } from "../Relations";
import { useHere } from "@/components/graph/useHere";
import { alone } from "../words";
import type { CanvasHandle } from "./Canvas";
import styles from "./Neighbourhood.module.css";
import { asPng, asSvg } from "./picture";
import { holds, MOST_NODES, MOST_PER_SIDE, nodeName, STEP, type Scene } from "./scene";
import { SelectedCard } from "./SelectedCard";
import { toggled, withHidden, withMore } from "./state";
import { Twin } from "./Twin";
import { useAddress } from "./useAddress";
import { useOpening, type Openings } from "./useOpening";
import { useScene, type Read } from "./useScene";
import { useSelection } from "./useSelection";

const Canvas = lazy(() => import("./Canvas"));

type Show = "graph" | "table";
const SHOWS: { value: Show; label: string }[] = [
  { value: "graph", label: "Graph" },
  { value: "table", label: "Table" },
];

interface Props {
  graph: Graph;
  focus: string;
  /** Beside the words about the focus: then there is no room for both picture and table. */
  isBeside?: boolean;
  /** Picture and table at once. */
  isBoth?: boolean;
}

/** What is near an entity, as a picture and as a table: one selection, one history. */
export function Neighbourhood({ graph, focus, isBeside = false, isBoth = false }: Props) {
  const where = useWhere();
  const address = useAddress();
  const openings = useOpening(address);
  const read = useScene(where, focus, openings.opening);
  const scene = useSettled(read);
  const [wanted, select] = useSelection(focus, address);
  const [show, setShow] = useShow();
  const canvas = useRef<CanvasHandle>(null);
  if (!scene) return read.error ? <Failure error={read.error} onRetry={read.retry} /> : <Shape />;
  const hasPicture = isBoth || show === "graph";
  const selected = holds(scene, wanted) ? wanted : focus;
  return (
    <div className={styles.neighbourhood} data-both={isBoth || undefined}>
      <div className={styles.tools}>
        {!isBoth && <Segments label="Shown as" options={SHOWS} value={show} onChange={setShow} />}
        <Tools
          {...{ graph, scene, read, openings, selected, isBeside }}
          canvas={hasPicture ? canvas : null}
        />
      </div>
      {read.error && <Failure error={read.error} onRetry={read.retry} />}
      <Shown {...{ scene, selected, select, openings, canvas }} show={isBoth ? "both" : show} />
      <Legend scene={scene} />
    </div>
  );
}

function Shape() {
  return <div aria-busy="true" className={styles.waiting}><SkeletonRows rows={6} height={56} /></div>;
}

/** While more is read, what was whole stays; nothing is drawn half. */
function useSettled({ scene, isReading, error }: Read): Scene | null {
  const [settled, setSettled] = useState<Scene | null>(null);
  const isWhole = scene !== null && (!isReading || error !== null);
  if (isWhole && settled !== scene) setSettled(scene);
  return isWhole ? scene : settled;
}

function useShow(): [Show, (show: Show) => void] {
  const [params, setParams] = useSearchParams();
  const here = useHere();
  const show: Show = params.get("show") === "table" ? "table" : "graph";
  const choose = (wanted: Show) => {
    const next = here();
    if (wanted === "table") next.set("show", wanted);
    else next.delete("show");
    setParams(next, { replace: true, preventScrollReset: true });
  };
  return [show, choose];
}

interface ToolProps {
  graph: Graph;
  scene: Scene;
  read: Read;
  openings: Openings;
  selected: string;
  canvas: React.RefObject<CanvasHandle | null> | null;
  isBeside: boolean;
}

function Tools({ graph, scene, read, openings, selected, canvas, isBeside }: ToolProps) {
  const where = useWhere();
  const [params] = useSearchParams();
  const { undo, redo } = openings;
  const name = scene.nodes[0] ? nodeName(scene.nodes[0]) : scene.focus;
  const version = graph.versions.find(({ snapshot }) => snapshot === read.snapshot);
  const picture = async (kind: "svg" | "png") => {
    const drawn = canvas?.current?.picture();
    if (!drawn) throw new Error("The picture is not drawn yet.");
    const svg = asSvg(scene, drawn.places, drawn.inks, {
      title: `What is near ${name}`,
      graph: graph.name,
      version: version ? `version ${version.number}` : "version unknown",
      snapshot: read.snapshot ?? "",
      licence: graph.licence ?? "",
    });
    return kind === "png" ? asPng(svg) : new Blob([svg], { type: "image/svg+xml" });
  };
  return (
    <div className={styles.toolGroup}>
      {/* Disabled in words only: whoever undoes the last step keeps the focus where she pressed. */}
      <Button size="icon" aria-label="Undo" onPress={() => undo?.()} aria-disabled={!undo}><Undo2 size={16} aria-hidden /></Button>
      <Button size="icon" aria-label="Redo" onPress={() => redo?.()} aria-disabled={!redo}><Redo2 size={16} aria-hidden /></Button>
      <RelationFilter relations={read.relations} openings={openings} />
      <ExportMenu
        graph={graph}
        snapshot={read.snapshot ?? ""}
        part={{ ids: scene.nodes.flatMap((node) => (node.kind === "entity" ? [node.id] : [])) }}
        name={scene.focus}
        picture={canvas ? picture : undefined}
      />
      {isBeside && (
        <ButtonLink to={place(where, "/canvas", larger(params, scene.focus, selected))} size="icon" aria-label="Larger, with its table">
          <Maximize size={16} aria-hidden />
        </ButtonLink>
      )}
    </div>
  );
}

/** The same neighbourhood on a page of its own. */
function larger(params: URLSearchParams, focus: string, selected: string): Record<string, string[]> {
  const kept = ["open", "more", "hide"].map((name) => [name, params.getAll(name)] as const);
  return { focus: [focus], ...Object.fromEntries(kept), sel: selected === focus ? [] : [selected] };
}

function RelationFilter({ relations, openings }: { relations: Read["relations"]; openings: Openings }) {
  const { opening, change } = openings;
  const shown = relations.filter(({ relation }) => !opening.hide.includes(relation));
  return (
    <Menu
      label="Relations shown"
      trigger={
        <Button>
          <Filter size={16} aria-hidden />
          Relations{" "}
          {shown.length < relations.length && <span className="number">{`${shown.length} of ${relations.length}`}</span>}
        </Button>
      }
    >
      <MenuSection
        title="Relations shown"
        selectionMode="multiple"
        selectedKeys={shown.map(({ relation }) => relation)}
        onSelectionChange={(keys) =>
          change(withHidden(opening, relations.map(({ relation }) => relation).filter((one) => keys !== "all" && !keys.has(one))))
        }
      >
        {relations.map(({ relation, phrase }) => (
          <MenuItem key={relation} id={relation} label={alone(phrase)} shouldCloseOnSelect={false} />
        ))}
      </MenuSection>
    </Menu>
  );
}

interface ShownProps {
  scene: Scene;
  selected: string;
  select: (id: string) => void;
  openings: Openings;
  show: Show | "both";
  canvas: React.RefObject<CanvasHandle | null>;
}

function Shown({ scene, selected, select, openings, show, canvas }: ShownProps) {
  const where = useWhere();
  const navigate = useNavigate();
  const { say, region } = useAnnouncer();
  const { opening, change, undo, redo } = openings;

  const toggle = (id: string) => {
    const node = scene.nodes.find((one) => one.id === id);
    if (!node || id === scene.focus) return;
    if (node.kind === "entity") {
      change(toggled(opening, id));
      return say(node.isOpen ? `${node.name} collapsed` : `${node.name} opened`);
    }
    if (node.shown >= MOST_PER_SIDE) return void navigate(entityPlace(where, node.owner, { rel: sideKey(node.relation) }));
    change(withMore(opening, node.side, Math.min(MOST_PER_SIDE, node.shown + STEP)));
    say(`${Math.min(STEP, node.rest)} more drawn`);
  };
  const enter = (id: string) => {
    const node = scene.nodes.find((one) => one.id === id);
    if (node?.kind === "entity") void navigate(entityPlace(where, id));
    else if (node) void navigate(entityPlace(where, node.owner, { rel: sideKey(node.relation) }));
  };
  return (
    <div className={styles.shown}>
      {show !== "table" && (
        <div className={styles.pictured}>
          <Suspense fallback={<Shape />}>
            <Canvas
              scene={scene}
              selected={selected}
              onSelect={select}
              onToggle={toggle}
              onEnter={enter}
              onUndo={undo}
              onRedo={redo}
              say={say}
              handle={canvas}
            />
          </Suspense>
          <SelectedCard scene={scene} selected={selected} onToggle={toggle} />
        </div>
      )}
      {show !== "graph" && <Twin scene={scene} selected={selected} onSelect={select} onToggle={toggle} />}
      {region}
    </div>
  );
}

function Legend({ scene }: { scene: Scene }) {
  const types = [...new Set(scene.nodes.flatMap((node) => (node.kind === "entity" ? [node.type] : [])))];
  return (
    <div className={styles.legend}>
      <ul aria-label="Signs">
        {types.map((type) => (
          <li key={type}><TypeMark type={type} /> {type}</li>
        ))}
      </ul>
      <p role="status">
        {count(scene.shown)} of {count(scene.all)} edges shown
        {scene.isFull && `. ${MOST_NODES} is the most that the picture holds: collapse one to see another.`}
      </p>
    </div>
  );
}
