import { Maximize2, Minus, Plus } from "lucide-react";
import { useEffect, useImperativeHandle, useRef, useState, type KeyboardEvent, type Ref } from "react";
import { Button } from "@/components/Button";
import type { Places } from "./arrange";
import { Drawing } from "./drawing";
import { readInks, watchInks, type Inks } from "./inks";
import { Layout, toArrange } from "./layout";
import styles from "./Neighbourhood.module.css";
import { joined, nodeName, type Scene } from "./scene";
import { around, next } from "./walk";

export interface Pictured {
  places: Places;
  inks: Inks;
}

export interface CanvasHandle {
  picture: () => Pictured | null;
}

interface Props {
  scene: Scene;
  selected: string;
  onSelect: (id: string) => void;
  onToggle: (id: string) => void;
  onEnter: (id: string) => void;
  onUndo: (() => void) | null;
  onRedo: (() => void) | null;
  say: (words: string) => void;
  handle: Ref<CanvasHandle>;
}

const HELP =
  "Arrow keys walk around the neighbours. Enter goes to one and opens it, or closes it again. Backspace goes back. O opens its page. The table holds the same.";

/** The picture: one tab stop, walked by arrows, with the table as its twin. */
export default function Canvas(props: Props) {
  const { scene, selected, onSelect, onToggle, handle } = props;
  const place = useRef<HTMLDivElement>(null);
  const drawing = useDrawing(place, scene, selected, onSelect, onToggle);
  useImperativeHandle(handle, () => ({ picture: drawing.picture }), [drawing.picture]);
  const keys = useKeys(props, drawing.placesNow);
  return (
    <div className={styles.canvas} aria-busy={!drawing.isPlaced}>
      {/* An application is worked by keys: that is what its role says. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        className={styles.drawing}
        role="application"
        aria-roledescription="graph"
        aria-label={`Graph of what is near, ${scene.entities} entities. ${HELP}`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- and it needs the focus for that
        tabIndex={0}
        onKeyDown={keys}
      >
        <div ref={place} className={styles.surface} aria-hidden data-canvas />
      </div>
      <div className={styles.zoom} role="group" aria-label="Size of the graph">
        <Button size="icon" aria-label="Closer" onPress={() => drawing.zoom(1.3)}><Plus size={16} aria-hidden /></Button>
        <Button size="icon" aria-label="Further away" onPress={() => drawing.zoom(1 / 1.3)}><Minus size={16} aria-hidden /></Button>
        <Button size="icon" aria-label="Show all of it" onPress={drawing.fit}><Maximize2 size={16} aria-hidden /></Button>
      </div>
    </div>
  );
}

function useDrawing(
  place: React.RefObject<HTMLDivElement | null>,
  scene: Scene,
  selected: string,
  onSelect: (id: string) => void,
  onToggle: (id: string) => void,
) {
  const drawing = useRef<Drawing | null>(null);
  const layout = useRef<Layout | null>(null);
  const places = useRef<Places>({});
  const inks = useRef<Inks | null>(null);
  const fitted = useRef("");
  const [placed, setPlaced] = useState<Scene | null>(null);
  const hands = useRef({ onSelect, onToggle });
  const latest = useRef({ scene, selected });
  useEffect(() => {
    hands.current = { onSelect, onToggle };
    latest.current = { scene, selected };
  });

  useEffect(() => {
    const container = place.current;
    if (!container) return;
    const drawn = new Drawing(container, {
      onSelect: (id) => hands.current.onSelect(id),
      onToggle: (id) => hands.current.onToggle(id),
    });
    const dress = () => {
      inks.current = readInks(container);
      drawn.dress(inks.current);
      if (fitted.current) drawn.show(latest.current.scene, drawn.places(), inks.current);
      drawn.select(latest.current.selected);
    };
    dress();
    drawing.current = drawn;
    layout.current = new Layout();
    const unwatch = watchInks(dress);
    const resized = new ResizeObserver(() => drawn.resize());
    resized.observe(container);
    return () => {
      unwatch();
      resized.disconnect();
      layout.current?.end();
      drawn.end();
      drawing.current = null;
      fitted.current = "";
    };
  }, [place]);

  useEffect(() => {
    const drawn = drawing.current;
    if (!drawn) return;
    // What was dragged stays where it was put; what comes back comes back to its place.
    places.current = { ...places.current, ...drawn.places() };
    layout.current?.ask(toArrange(scene, places.current), (found) => {
      places.current = { ...places.current, ...found };
      if (!inks.current) return;
      drawn.show(scene, found, inks.current);
      drawn.select(latest.current.selected);
      drawn.begin(scene.nodes.some(({ id }) => id === latest.current.selected) ? latest.current.selected : scene.focus);
      fitted.current = scene.focus;
      setPlaced(scene);
    });
  }, [scene]);

  useEffect(() => {
    drawing.current?.select(selected);
    drawing.current?.reveal(selected);
  }, [selected]);

  const [api] = useState(() => ({
    placesNow: () => drawing.current?.places() ?? {},
    picture: (): Pictured | null =>
      drawing.current && inks.current ? { places: drawing.current.places(), inks: inks.current } : null,
    zoom: (factor: number) => drawing.current?.zoom(factor),
    fit: () => drawing.current?.fit(),
  }));
  return { ...api, isPlaced: placed !== null };
}

/** Where one stands while walking: the neighbours of this entity are what the arrows go around. */
function useKeys({ scene, selected, onSelect, onToggle, onEnter, onUndo, onRedo, say }: Props, places: () => Places) {
  const [trail, setTrail] = useState<string[]>([]);
  const centre = trail.findLast((id) => scene.nodes.some((node) => node.id === id)) ?? scene.focus;

  const stand = (id: string, from: string, ring: string[]) => {
    onSelect(id);
    say(whereWords(scene, id, from, ring));
  };
  const walk = (step: 1 | -1) => {
    const ring = around(scene, places(), centre);
    const to = next(ring, selected, step);
    if (to) stand(to, centre, ring);
    else say("Nothing is joined to it here.");
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
    const act = actFor(event, { walk, enter, back, open: () => onEnter(selected), undo: onUndo, redo: onRedo });
    if (!act) return;
    event.preventDefault();
    act();
  };
}

type Pressed = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

interface Acts {
  walk: (step: 1 | -1) => void;
  enter: () => void;
  back: () => void;
  open: () => void;
  undo: (() => void) | null;
  redo: (() => void) | null;
}

export function actFor(event: Pressed, acts: Acts): (() => void) | null | undefined {
  const { key } = event;
  if (event.ctrlKey || event.metaKey) {
    const letter = key.toLowerCase(); // with Shift, or with Caps Lock on, it is a capital
    if (letter === "z") return event.shiftKey ? acts.redo : acts.undo;
    return letter === "y" ? acts.redo : undefined;
  }
  if (event.altKey) return undefined;
  const table: Record<string, () => void> = {
    ArrowRight: () => acts.walk(1),
    ArrowDown: () => acts.walk(1),
    ArrowLeft: () => acts.walk(-1),
    ArrowUp: () => acts.walk(-1),
    Enter: acts.enter,
    Backspace: acts.back,
    o: acts.open,
  };
  return table[key.length === 1 ? key.toLowerCase() : key];
}

/** 'TP53, gene, 3 of 25, associated with'. */
export function whereWords(scene: Scene, id: string, centre: string, ring: string[]): string {
  const node = scene.nodes.find((one) => one.id === id);
  if (!node) return "";
  const kind = node.kind === "more" ? `more of ${node.relation.phrase}` : node.type;
  const position = ring.includes(id) ? `${ring.indexOf(id) + 1} of ${ring.length}` : "";
  const links = joined(scene, id).filter(({ other }) => other === centre).map(({ words }) => words);
  return [nodeName(node), kind, position, ...links].filter(Boolean).join(", ");
}
