import { Maximize2, Minus, Plus } from "lucide-react";
import { useEffect, useImperativeHandle, useRef, type Ref } from "react";
import { Button } from "@/components/Button";
import { GraphView } from "@/domains/graphs/drawing/graphView";
import type { NodePositions } from "@/domains/graphs/drawing/picture";
import { readThemeColours, type ThemeColours } from "@/domains/graphs/drawing/themeColours";
import { useMediaQuery } from "@/lib/useMediaQuery";
import type { WalkFrame } from "./walk";
import { walkLayout } from "./walkLayout";
import styles from "./Walk.module.css";

export interface WalkDrawingHandle {
  image: () => { positions: NodePositions; colours: ThemeColours } | null;
}

interface Props {
  frame: WalkFrame;
  /** What it shows, in words: the text beside it has the same content. */
  label: string;
  selected: string;
  onSelect: (id: string) => void;
  handle: Ref<WalkDrawingHandle>;
}

const REDUCED_MOTION = "(prefers-reduced-motion: reduce)";

/** The walk so far, drawn as the explorer draws a neighbourhood. */
export default function WalkDrawing(props: Props) {
  const place = useRef<HTMLDivElement>(null);
  const view = useView(place, props);
  useImperativeHandle(props.handle, () => ({
    image: () => view.current && place.current && { positions: view.current.positions(), colours: readThemeColours(place.current) },
  }), [view]);
  const zoom = (factor: number) => view.current?.zoom(factor);
  return (
    <div className={styles.canvas}>
      <div className={styles.drawing} role="img" aria-label={props.label}>
        <div ref={place} className={styles.surface} aria-hidden data-canvas />
      </div>
      <div className={styles.zoom} role="group" aria-label="Size of the drawing">
        <Button size="icon" aria-label="Zoom in" onPress={() => zoom(1.3)}><Plus size={16} aria-hidden /></Button>
        <Button size="icon" aria-label="Zoom out" onPress={() => zoom(1 / 1.3)}><Minus size={16} aria-hidden /></Button>
        <Button size="icon" aria-label="Fit to view" onPress={() => view.current?.fit()}><Maximize2 size={16} aria-hidden /></Button>
      </div>
    </div>
  );
}

function useView(place: React.RefObject<HTMLDivElement | null>, { frame, selected, onSelect }: Props) {
  const view = useRef<GraphView | null>(null);
  const latest = useRef({ frame, selected, onSelect });
  const isStill = useMediaQuery(REDUCED_MOTION);
  useEffect(() => {
    latest.current = { frame, selected, onSelect };
  });
  useEffect(() => {
    const container = place.current;
    if (!container) return undefined;
    const handlers = { onSelect: (id: string) => latest.current.onSelect(id), onToggle: () => undefined };
    const drawn = new GraphView(container, handlers, { isMoving: !isStill });
    view.current = drawn;
    const draw = () => drawFrame(drawn, latest.current);
    draw();
    let wasNarrow = drawn.isNarrow();
    const resized = new ResizeObserver(() => {
      if (drawn.isNarrow() !== wasNarrow) draw();
      wasNarrow = drawn.isNarrow();
    });
    resized.observe(container);
    return () => {
      resized.disconnect();
      drawn.destroy();
      view.current = null;
    };
  }, [place, isStill]);
  useEffect(() => {
    if (view.current) drawFrame(view.current, { frame, selected: latest.current.selected });
  }, [frame]);
  useEffect(() => view.current?.select(selected), [selected]);
  return view;
}

function drawFrame(drawn: GraphView, { frame: { picture, columns }, selected }: { frame: WalkFrame; selected: string }): void {
  drawn.update(picture, walkLayout(columns, drawn.isNarrow()));
  drawn.select(selected);
  const now = picture.nodes.filter((node) => node.kind === "entity" && node.mark === "frontier").map(({ id }) => id);
  drawn.start(...(now.length > 0 ? now : [picture.focus]));
}
