import { ChevronDown, ChevronRight } from "lucide-react";
import { useId } from "react";
import { useSearchParams } from "react-router";
import { count, plural } from "@/lib/format";
import type { Entity, Graph, RelationCount } from "./api";
import styles from "./Entity.module.css";
import { Neighbours } from "./Neighbours";
import { useHere } from "@/components/graph/useHere";
import { alone } from "./words";

/** One side of a relation, as the address names it. */
export function sideKey({ relation, outgoing }: { relation: string; outgoing: boolean }): string {
  return `${outgoing ? "out" : "in"}.${relation}`;
}

/** Every relation that the entity has, with how often, the root of it as a bar; each opens to its neighbours. */
export function Relations({ entity, graph }: { entity: Entity; graph: Graph }) {
  const [params, setParams] = useSearchParams();
  const here = useHere();
  const open = params.get("rel");
  const { relations } = entity;
  const total = relations.reduce((sum, relation) => sum + relation.count, 0);
  const most = Math.max(1, ...relations.map((relation) => relation.count));
  const version = graph.versions.find(({ snapshot }) => snapshot === entity.snapshot);
  const toggle = (key: string) => {
    const next = here();
    if (open === key) next.delete("rel");
    else next.set("rel", key);
    setParams(next, { replace: true, preventScrollReset: true });
  };
  return (
    <section aria-labelledby="relations" className={styles.relations}>
      <div className={styles.relationsHead}>
        <h2 id="relations">Relations</h2>
        <p className={styles.quiet}>
          {plural(total, "edge")}{version && `, version ${version.number}`}
        </p>
      </div>
      {relations.length === 0 && <p className={styles.quiet}>The graph links it to nothing.</p>}
      <ul>
        {relations.map((relation) => {
          const key = sideKey(relation);
          return (
            <RelationRow
              key={key}
              entity={entity}
              relation={relation}
              share={Math.sqrt(relation.count / most)}
              isOpen={open === key}
              onToggle={() => toggle(key)}
            />
          );
        })}
      </ul>
    </section>
  );
}

interface RowProps {
  entity: Entity;
  relation: RelationCount;
  share: number;
  isOpen: boolean;
  onToggle: () => void;
}

function RelationRow({ entity, relation, share, isOpen, onToggle }: RowProps) {
  const id = useId();
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <li>
      <button type="button" className={styles.relation} aria-expanded={isOpen} aria-controls={id} onClick={onToggle}>
        <Chevron size={16} aria-hidden />
        <span className={styles.phrase}>{alone(relation.phrase)}</span>{" "}
        <span className={styles.bar} aria-hidden>
          <span style={{ width: `${Math.max(1, share * 100)}%` }} />
        </span>
        <span className="number">{count(relation.count)}</span>
      </button>
      <div id={id} hidden={!isOpen}>
        {isOpen && <Neighbours id={entity.id} name={entity.name} relation={relation} />}
      </div>
    </li>
  );
}
