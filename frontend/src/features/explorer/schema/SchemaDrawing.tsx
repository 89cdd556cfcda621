import { useMemo } from "react";
import { formatCount, formatPlural } from "@/lib/format";
import type { GraphSchema } from "../api";
import styles from "./Schema.module.css";
import { linkTypes, placeTypes, type TypeCircle, type TypeLink } from "./schemaLayout";

interface Props {
  schema: GraphSchema;
  /** Whose relations are shown alone; empty for all. */
  type: string;
  onChoose: (type: string) => void;
}

const WIDTH = 760;
const HEIGHT = 520;
const THICKEST = 8;

/** Types as circles, joined where a relation joins them; the tables below have the same in words. */
export function SchemaDrawing({ schema, type, onChoose }: Props) {
  const circles = useMemo(() => placeTypes(schema, WIDTH, HEIGHT), [schema]);
  const links = useMemo(() => linkTypes(schema.edge_kinds, circles), [schema, circles]);
  const most = Math.log1p(Math.max(1, ...links.map(({ count }) => count)));
  return (
    <figure className={styles.figure}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className={styles.drawing} role="group" aria-label="Types and the relations between them">
        {links.map((link) => (
          <LinkLine
            key={`${link.one.name} ${link.other.name}`}
            link={link}
            width={1 + (THICKEST - 1) * (Math.log1p(link.count) / most)}
            isDimmed={type !== "" && link.one.name !== type && link.other.name !== type}
          />
        ))}
        {circles.map((circle) => <TypeMark key={circle.name} circle={circle} isChosen={circle.name === type} onChoose={onChoose} />)}
      </svg>
      <figcaption className={styles.quiet}>Circles grow with the logarithm of entities, lines with that of edges. Choose a type to see its relations alone.</figcaption>
    </figure>
  );
}

function LinkLine({ link: { one, other, count, relations }, width, isDimmed }: { link: TypeLink; width: number; isDimmed: boolean }) {
  const title = `${one.name} and ${other.name}: ${formatPlural(count, "edge")}, ${relations.join(", ")}`;
  const shared = { className: styles.line, strokeWidth: width, "data-dimmed": isDimmed || undefined };
  if (one === other) {
    return <circle {...shared} cx={one.x} cy={one.y - one.radius - 8} r={12}><title>{title}</title></circle>;
  }
  return <line {...shared} x1={one.x} y1={one.y} x2={other.x} y2={other.y}><title>{title}</title></line>;
}

function TypeMark({ circle: { name, count, x, y, radius }, isChosen, onChoose }: { circle: TypeCircle; isChosen: boolean; onChoose: (type: string) => void }) {
  const choose = () => onChoose(name);
  return (
    <g
      role="button"
      tabIndex={0}
      aria-pressed={isChosen}
      aria-label={`${name}, ${formatPlural(count, "entity", "entities")}`}
      className={styles.mark}
      onClick={choose}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        choose();
      }}
    >
      <circle cx={x} cy={y} r={radius} />
      <text x={x} y={y + radius + 15} textAnchor="middle">{name} <tspan className={styles.count}>{formatCount(count)}</tspan></text>
    </g>
  );
}
