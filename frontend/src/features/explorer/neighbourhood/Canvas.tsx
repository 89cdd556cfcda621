import { Maximize2, Minus, Plus } from "lucide-react";
import { useEffect, useImperativeHandle, useRef, useState, type KeyboardEvent, type Ref } from "react";
import { Button } from "@/components/Button";
import { GraphView } from "@/domains/graphs/drawing/graphView";
import { neighboursClockwise, nextInRing } from "./keyboardNavigation";
import { layoutInput } from "./layoutInput";
import styles from "./Neighbourhood.module.css";
import { layoutNodes } from "./nodeLayout";
import { neighbourLinks, type Scene } from "./scene";
import type { SceneView } from "./sceneView";
import { readThemeColours, type ThemeColours } from "@/domains/graphs/drawing/themeColours";
import { nodeName, type NodePositions } from "@/domains/graphs/drawing/picture";

interface CanvasImage {
  positions: NodePositions;
  colours: ThemeColours;
}

export interface CanvasHandle {
  picture: () => CanvasImage | null;
}

interface Props extends SceneView {
  onEnter: (id: string) => void;
  onUndo: (() => void) | null;
  onRedo: (() => void) | null;
  announce: (words: string) => void;
  handle: Ref<CanvasHandle>;
}

const KEYBOARD_HELP =
  "Arrow keys move between neighbours. Enter expands or collapses one. Backspace goes back. O opens its page. The table has the same content.";

/** The picture: one tab stop, walked by arrows, with the table as its twin. */
export default function NeighbourhoodCanvas(props: Props) {
  const { scene, handle } = props;
  const place = useRef<HTMLDivElement>(null);
  const drawing = useGraphView(place, props);
  useImperativeHandle(handle, () => ({ picture: drawing.picture }), [drawing.picture]);
  const keys = useCanvasKeys(props, drawing.placesNow);
  return (
    <div className={styles.canvas}>
      {/* An application is worked by keys: that is what its role means. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        className={styles.drawing}
        role="application"
        aria-roledescription="graph"
        aria-label={`Neighbourhood graph, ${scene.entities} entities. ${KEYBOARD_HELP}`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- and it needs the focus for that
        tabIndex={0}
        onKeyDown={keys}
      >
        <div ref={place} className={styles.surface} aria-hidden data-canvas />
      </div>
      <div className={styles.zoom} role="group" aria-label="Size of the graph">
        <Button size="icon" aria-label="Zoom in" onPress={() => drawing.zoom(1.3)}><Plus size={16} aria-hidden /></Button>
        <Button size="icon" aria-label="Zoom out" onPress={() => drawing.zoom(1 / 1.3)}><Minus size={16} aria-hidden /></Button>
        <Button size="icon" aria-label="Fit to view" onPress={drawing.fit}><Maximize2 size={16} aria-hidden /></Button>
      </div>
    </div>
  );
}

function useGraphView(place: React.RefObject<HTMLDivElement | null>, view: SceneView) {
  const { scene, selected, onSelect, onToggle } = view;
  const drawing = useRef<GraphView | null>(null);
  const places = useRef<NodePositions>({});
  const latest = useRef({ selected, onSelect, onToggle });
  useEffect(() => {
    latest.current = { selected, onSelect, onToggle };
  });

  useEffect(() => {
    const frame = place.current;
    if (!frame) return;
    const drawn = new GraphView(frame, {
      onSelect: (id) => latest.current.onSelect(id),
      onToggle: (id) => latest.current.onToggle(id),
    });
    drawing.current = drawn;
    return () => {
      drawn.destroy();
      drawing.current = null;
    };
  }, [place]);

  useEffect(() => {
    const drawn = drawing.current;
    if (!drawn) return;
    // What was dragged stays where it was put; what comes back comes back to its place.
    places.current = { ...places.current, ...drawn.positions() };
    const positions = layoutNodes(layoutInput(scene, places.current, drawn.isNarrow()));
    places.current = { ...places.current, ...positions };
    drawn.update(scene, positions);
    drawn.select(latest.current.selected);
    drawn.start(scene.nodes.some(({ id }) => id === latest.current.selected) ? latest.current.selected : scene.focus);
  }, [scene]);

  useEffect(() => {
    drawing.current?.select(selected);
    drawing.current?.reveal(selected);
  }, [selected]);

  const [api] = useState(() => ({
    placesNow: () => drawing.current?.positions() ?? {},
    picture: (): CanvasImage | null =>
      drawing.current && place.current ? { positions: drawing.current.positions(), colours: readThemeColours(place.current) } : null,
    zoom: (factor: number) => drawing.current?.zoom(factor),
    fit: () => drawing.current?.fit(),
  }));
  return api;
}

/** Where one stands while walking: the neighbours of this entity are what the arrows go around. */
function useCanvasKeys({ scene, selected, onSelect, onToggle, onEnter, onUndo, onRedo, announce }: Props, places: () => NodePositions) {
  const [trail, setTrail] = useState<string[]>([]);
  const centre = trail.findLast((id) => scene.nodes.some((node) => node.id === id)) ?? scene.focus;

  const stand = (id: string, from: string, ring: string[]) => {
    onSelect(id);
    announce(positionLabel(scene, id, from, ring));
  };
  const moveToNeighbour = (step: 1 | -1) => {
    const ring = neighboursClockwise(scene, places(), centre);
    const to = nextInRing(ring, selected, step);
    if (to) stand(to, centre, ring);
    else announce("It has no links in this view.");
  };
  const enter = () => {
    const node = scene.nodes.find(({ id }) => id === selected);
    if (!node) return;
    if (node.kind === "entity" && node.id !== scene.focus) {
      setTrail(node.isOpen && centre === node.id ? trail.slice(0, -1) : [...trail, node.id]);
      if (!node.isOpen || centre === node.id) onToggle(node.id);
    } else if (node.kind === "more") onToggle(node.id);
  };
  const back = () => {
    const rest = trail.slice(0, -1);
    setTrail(rest);
    stand(centre === selected ? (rest.at(-1) ?? scene.focus) : centre, centre, []);
  };
  return (event: KeyboardEvent) => {
    const act = keyAction(event, { moveToNeighbour, enter, back, open: () => onEnter(selected), undo: onUndo, redo: onRedo });
    if (!act) return;
    event.preventDefault();
    act();
  };
}

type KeyPress = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

interface KeyActions {
  moveToNeighbour: (step: 1 | -1) => void;
  enter: () => void;
  back: () => void;
  open: () => void;
  undo: (() => void) | null;
  redo: (() => void) | null;
}

export function keyAction(event: KeyPress, acts: KeyActions): (() => void) | null | undefined {
  const { key } = event;
  if (event.ctrlKey || event.metaKey) {
    const character = key.toLowerCase(); // with Shift, or with Caps Lock on, it is a capital
    if (character === "z") return event.shiftKey ? acts.redo : acts.undo;
    return character === "y" ? acts.redo : undefined;
  }
  if (event.altKey) return undefined;
  const table: Record<string, () => void> = {
    ArrowRight: () => acts.moveToNeighbour(1),
    ArrowDown: () => acts.moveToNeighbour(1),
    ArrowLeft: () => acts.moveToNeighbour(-1),
    ArrowUp: () => acts.moveToNeighbour(-1),
    Enter: acts.enter,
    Backspace: acts.back,
    o: acts.open,
  };
  return table[key.length === 1 ? key.toLowerCase() : key];
}

/** 'TP53, gene, 3 of 25, associated with'. */
function positionLabel(scene: Scene, id: string, centre: string, ring: string[]): string {
  const node = scene.nodes.find((one) => one.id === id);
  if (!node) return "";
  const kind = node.kind === "more" ? `more of ${node.relation.phrase}` : node.type;
  const position = ring.includes(id) ? `${ring.indexOf(id) + 1} of ${ring.length}` : "";
  const links = neighbourLinks(scene, id).filter(({ other }) => other === centre).map(({ words }) => words);
  return [nodeName(node), kind, position, ...links].filter(Boolean).join(", ");
}
