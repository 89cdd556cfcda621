import { useEffect, useId, useRef, type KeyboardEvent, type PointerEvent, type RefObject } from "react";
import { formatCoefficient } from "@/lib/format";
import { RegionPattern, RegionPatternDefs } from "./RegionPattern";
import {
  cornerOf,
  EQUAL_WEIGHTS,
  TRIANGLE_HEIGHT,
  SCORE_PARTS,
  pointOf,
  roundWeights,
  shiftWeight,
  weightsAt,
  withPart,
  type ScorePart,
  type Point,
  type Weights,
} from "@/lib/weights/simplex";
import styles from "./Ternary.module.css";
import type { Region } from "@/lib/weights/winningSplits";

interface Props {
  weights: Weights;
  onChange: (weights: Weights) => void;
  /** The map under the point; none where there is nothing to choose among. */
  regions?: Region[];
}

const SIDE_PX = 320;
const MARGIN_PX = 12;
const WIDTH_PX = SIDE_PX + 2 * MARGIN_PX;
const HEIGHT_PX = SIDE_PX * TRIANGLE_HEIGHT + 2 * MARGIN_PX;
const KEY_STEP = 0.01;
const LARGE_KEY_STEP = 0.1;
/** Smaller regions carry no number: it would cover them. */
const MIN_LABELLED_SHARE = 0.03;
const GRID_LINES = Array.from({ length: 9 }, (_, at) => (at + 1) / 10);

/** The three weights as one point in a triangle, over the map of what is chosen where. */
export function WeightTriangle({ weights, onChange, regions = [] }: Props) {
  const id = useId().replaceAll(/\W/g, "");
  const picture = useRef<SVGSVGElement>(null);
  const thumb = useRef<HTMLDivElement>(null);
  const edge = useRef<SVGPolygonElement>(null);
  usePointerCapture(edge);
  usePointerCapture(thumb);
  const at = pointOf(weights);
  const follow = (event: PointerEvent) => {
    const box = picture.current?.getBoundingClientRect();
    if (!box || box.width === 0) return;
    const scale = WIDTH_PX / box.width;
    const point = { x: ((event.clientX - box.left) * scale - MARGIN_PX) / SIDE_PX, y: ((event.clientY - box.top) * scale - MARGIN_PX) / SIDE_PX };
    onChange(roundWeights(weightsAt(point)));
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
        <svg ref={picture} viewBox={`0 0 ${WIDTH_PX} ${HEIGHT_PX}`} className={styles.picture} aria-hidden>
          <RegionPatternDefs id={id} />
          <polygon points={svgPoints(SCORE_PARTS.map((part) => pointOf(cornerOf(part))))} className={styles.ground} />
          {regions.map(({ split, corners }, rank) => <RegionPattern key={split} id={id} rank={rank} points={svgPoints(corners)} />)}
          <path d={GRID_PATH} className={styles.mesh} />
          {regions.map(({ split, middle, share }, rank) =>
            share >= MIN_LABELLED_SHARE && <text key={split} {...toPixels(middle)} className={styles.number}>{rank + 1}</text>)}
          <polygon
            ref={edge}
            points={svgPoints(SCORE_PARTS.map((part) => pointOf(cornerOf(part))))}
            className={styles.edge}
            onPointerDown={grab}
            onPointerMove={drag}
          />
        </svg>
        <div
          ref={thumb}
          className={styles.thumb}
          style={{ left: `${(100 * (MARGIN_PX + at.x * SIDE_PX)) / WIDTH_PX}%`, top: `${(100 * (MARGIN_PX + at.y * SIDE_PX)) / HEIGHT_PX}%` }}
          role="slider"
          tabIndex={0}
          aria-label="Weights of relevance, novelty and surprise"
          aria-describedby={`${id}-keys`}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(100 * weights.surprise)}
          aria-valuetext={SCORE_PARTS.map((part) => `${part} ${formatCoefficient(weights[part])}`).join(", ")}
          onKeyDown={(event) => keyStep(event, weights, onChange)}
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
function usePointerCapture(element: RefObject<Element | null>) {
  useEffect(() => {
    const node = element.current;
    const hold = (event: Event) => event.preventDefault();
    node?.addEventListener("touchstart", hold, { passive: false });
    return () => node?.removeEventListener("touchstart", hold);
  }, [element]);
}

function Corner({ part, weights }: { part: ScorePart; weights: Weights }) {
  return (
    <p className={styles.corner} data-part={part} aria-hidden>
      {part} <span className="number">{formatCoefficient(weights[part])}</span>
    </p>
  );
}

/** Along the bottom weight goes between two parts; up and down the third takes from both and gives back. */
function keyStep(event: KeyboardEvent, weights: Weights, onChange: (weights: Weights) => void) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const step = event.shiftKey ? LARGE_KEY_STEP : KEY_STEP;
  const moves: Record<string, () => Weights> = {
    ArrowLeft: () => shiftWeight(weights, "novelty", "relevance", step),
    ArrowRight: () => shiftWeight(weights, "relevance", "novelty", step),
    ArrowUp: () => withPart(weights, "surprise", weights.surprise + step),
    ArrowDown: () => withPart(weights, "surprise", weights.surprise - step),
    Home: () => cornerOf("relevance"),
    End: () => cornerOf("novelty"),
    PageUp: () => cornerOf("surprise"),
    PageDown: () => EQUAL_WEIGHTS,
  };
  const move = moves[event.key];
  if (!move) return;
  event.preventDefault();
  onChange(move());
}

function toPixels({ x, y }: Point): Point {
  return { x: Number((MARGIN_PX + x * SIDE_PX).toFixed(2)), y: Number((MARGIN_PX + y * SIDE_PX).toFixed(2)) };
}

function svgPoints(points: Point[]): string {
  return points.map((point) => toPixels(point)).map(({ x, y }) => `${x},${y}`).join(" ");
}

/** Every tenth of each weight as a line. */
const GRID_PATH = GRID_LINES.flatMap((share) =>
  SCORE_PARTS.map((part) => {
    const ends = SCORE_PARTS.filter((other) => other !== part).map((other) => {
      const { x, y } = toPixels(pointOf({ ...cornerOf(part), [part]: share, [other]: 1 - share }));
      return `${x} ${y}`;
    });
    return `M${ends.join("L")}`;
  }),
).join("");
