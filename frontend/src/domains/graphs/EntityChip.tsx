import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { Link } from "react-router";
import { Button } from "@/components/Button";
import styles from "./EntityChip.module.css";
import { entityQuery } from "./graphQueries";
import { entityUrl } from "./graphUrls";
import { TypeIcon } from "./TypeIcon";
import { useGraphParams } from "./useGraphParams";

/** An entity that was chosen for something, and the way to take it back. */
export function EntityChip({ id, onRemove }: { id: string; onRemove: () => void }) {
  const where = useGraphParams();
  const entity = useQuery(entityQuery(where, id));
  const name = entity.data?.name ?? id;
  return (
    <span className={styles.chosen}>
      {entity.data && <TypeIcon type={entity.data.type} />}
      <Link to={entityUrl(where, id)}>{name}</Link>
      {entity.isError && <span className={styles.bad}>not in this graph</span>}
      <Button variant="quiet" size="icon" aria-label={`Remove ${name}`} onPress={onRemove}><X size={16} aria-hidden /></Button>
    </span>
  );
}
