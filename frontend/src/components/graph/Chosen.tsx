import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { Link } from "react-router";
import { Button } from "@/components/Button";
import { entityPlace } from "@/lib/graphs/places";
import { entityQuery } from "@/lib/graphs/reading";
import styles from "./Chosen.module.css";
import { TypeMark } from "./TypeMark";
import { useWhere } from "./useWhere";

/** An entity that was chosen for something, and the way to take it back. */
export function Chosen({ id, onRemove }: { id: string; onRemove: () => void }) {
  const where = useWhere();
  const entity = useQuery(entityQuery(where, id));
  const name = entity.data?.name ?? id;
  return (
    <span className={styles.chosen}>
      {entity.data && <TypeMark type={entity.data.type} />}
      <Link to={entityPlace(where, id)}>{name}</Link>
      {entity.isError && <span className={styles.bad}>not in this graph</span>}
      <Button look="quiet" size="icon" aria-label={`Take ${name} away`} onPress={onRemove}>
        <X size={16} aria-hidden />
      </Button>
    </span>
  );
}
