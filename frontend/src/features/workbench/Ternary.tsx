import { useEffect, useId, useRef, type KeyboardEvent, type PointerEvent, type RefObject } from "react";
import { coefficient } from "@/lib/format";
import { Fill, FillPatterns } from "./Fill";
import { cornerOf, EQUAL, HEIGHT, PARTS, pointOf, rounded, shifted, weightsAt, withPart, type Part, type Point, type Weights } from "./simplex";
import styles from "./Ternary.module.css";
import type { Region } from "./winners";

interface Props {
  weights: Weights;
  onChange: (weights: Weights) => void;
  /** The map under the point; none where there is nothing to choose among. */
  regions?: Region[];
}

const SIDE = 320;
const MARGIN = 12;
const WIDTH = SIDE + 2 * MARGIN;
const TALL = SIDE * HEIGHT + 2 * MARGIN;
const STEP = 0.01;
const FAR = 0.1;
/** Smaller regions carry no number: it would cover them. */
const ROOM_FOR_NUMBER = 0.03;
const LINES = Array.from({ length: 9 }, (_, at) => (at + 1) / 10);

/** The three weights as one point in a triangle, over the map of what is chosen where. */
export function Ternary({ weights, onChange, regions = [] }: Props) {
  const id = useId().replaceAll(/\W/g, "");
  const picture = useRef<SVGSVGElement>(null);
  const thumb = useRef<HTMLDivElement>(null);
  const edge = useRef<SVGPolygonElement>(null);
  useHeld(edge);
  useHeld(thumb);
  const at = pointOf(weights);
  const follow = (event: PointerEvent) => {
    const box = picture.current?.getBoundingClientRect();
    if (!box || box.width === 0) return;
    const scale = WIDTH / box.width;
    const point = { x: ((event.clientX - box.left) * scale - MARGIN) / SIDE, y: ((event.clientY - box.top) * scale - MARGIN) / SIDE };
    onChange(rounded(weightsAt(point)));
  };
  const grab = (event: PointerEvent) => {
    if (event.button !== 0) return;
    // Not the text beside it; and the keys go on where the hand leaves off.
    event.preventDefault();
    event.currentTarget.setPointerCapture?.(event.pointerId);
    thumb.current?.focus({ preventScroll: true });
    follow(event);
  };
  const drag = (event: PointerEvent) => {
    if (event.buttons === 1) follow(event);
  };
  return (
    <div className={styles.ternary}>
      <Corner part="surprise" weights={weights} />
      <div className={styles.triangle}>
        <svg ref={picture} viewBox={`0 0 ${WIDTH} ${TALL}`} className={styles.picture} aria-hidden>
          <FillPatterns id={id} />
          <polygon points={pointsOf(PARTS.map((part) => pointOf(cornerOf(part))))} className={styles.ground} />
          {regions.map(({ split, corners }, rank) => <Fill key={split} id={id} rank={rank} points={pointsOf(corners)} />)}
          <path d={MESH} className={styles.mesh} />
          {regions.map(({ split, middle, share }, rank) =>
            share >= ROOM_FOR_NUMBER && (
              <text key={split} {...placed(middle)} className={styles.number}>{rank + 1}</text>
            ))}
          <polygon
            ref={edge}
            points={pointsOf(PARTS.map((part) => pointOf(cornerOf(part))))}
            className={styles.edge}
            onPointerDown={grab}
            onPointerMove={drag}
          />
        </svg>
        <div
          ref={thumb}
          className={styles.thumb}
          style={{ left: `${(100 * (MARGIN + at.x * SIDE)) / WIDTH}%`, top: `${(100 * (MARGIN + at.y * SIDE)) / TALL}%` }}
          role="slider"
          tabIndex={0}
          aria-label="Weights of relevance, novelty and surprise"
          aria-describedby={`${id}-keys`}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(100 * weights.surprise)}
          aria-valuetext={PARTS.map((part) => `${part} ${coefficient(weights[part])}`).join(", ")}
          onKeyDown={(event) => press(event, weights, onChange)}
          onPointerDown={grab}
          onPointerMove={drag}
        />
      </div>
      <div className={styles.base}>
        <Corner part="relevance" weights={weights} />
        <Corner part="novelty" weights={weights} />
      </div>
      <p id={`${id}-keys`} className="visually-hidden">
        Left and right arrows move weight between relevance and novelty, up and down arrows give surprise more or less.
        Home, End and Page Up go to the corners of relevance, novelty and surprise, Page Down to the middle.
      </p>
    </div>
  );
}

/** A finger on it drags, and never scrolls: touch-action alone does not hold on parts of a picture. */
function useHeld(held: RefObject<Element | null>) {
  useEffect(() => {
    const node = held.current;
    const hold = (event: Event) => event.preventDefault();
    node?.addEventListener("touchstart", hold, { passive: false });
    return () => node?.removeEventListener("touchstart", hold);
  }, [held]);
}

function Corner({ part, weights }: { part: Part; weights: Weights }) {
  return (
    <p className={styles.corner} data-part={part} aria-hidden>
      {part} <span className="number">{coefficient(weights[part])}</span>
    </p>
  );
}

/** Along the bottom weight goes between two parts; up and down the third takes from both and gives back. */
function press(event: KeyboardEvent, weights: Weights, onChange: (weights: Weights) => void) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const step = event.shiftKey ? FAR : STEP;
  const moves: Record<string, () => Weights> = {
    ArrowLeft: () => shifted(weights, "novelty", "relevance", step),
    ArrowRight: () => shifted(weights, "relevance", "novelty", step),
    ArrowUp: () => withPart(weights, "surprise", weights.surprise + step),
    ArrowDown: () => withPart(weights, "surprise", weights.surprise - step),
    Home: () => cornerOf("relevance"),
    End: () => cornerOf("novelty"),
    PageUp: () => cornerOf("surprise"),
    PageDown: () => EQUAL,
  };
  const move = moves[event.key];
  if (!move) return;
  event.preventDefault();
  onChange(move());
}

function placed({ x, y }: Point): Point {
  return { x: Number((MARGIN + x * SIDE).toFixed(2)), y: Number((MARGIN + y * SIDE).toFixed(2)) };
}

function pointsOf(points: Point[]): string {
  return points.map((point) => placed(point)).map(({ x, y }) => `${x},${y}`).join(" ");
}

/** Every tenth of each weight as a line. */
const MESH = LINES.flatMap((share) =>
  PARTS.map((part) => {
    const ends = PARTS.filter((other) => other !== part).map((other) => {
      const { x, y } = placed(pointOf({ ...cornerOf(part), [part]: share, [other]: 1 - share }));
      return `${x} ${y}`;
    });
    return `M${ends.join("L")}`;
  }),
).join("");
