import { useId } from "react";
import type { Item } from "@/api/contract";
import { isMarked, type EvidenceMark } from "@/domains/studies/marks/marks";
import styles from "./Remarks.module.css";

interface Props {
  resources: Item["resources"];
  marks: EvidenceMark[];
  onToggle: (mark: EvidenceMark) => void;
}

/** The links of the question, each of which can be what decided; also where the study has no graph. */
export function LinkMarks({ resources, marks, onToggle }: Props) {
  const id = useId();
  if (!resources.length) return null;
  return (
    <div role="group" aria-labelledby={id} className={styles.reasons}>
      <p id={id}>Did what you looked up decide?</p>
      <div className={styles.chips}>
        {resources.map(({ name }, number) => {
          const mark = { type: "resource", number } as const;
          return (
            <button key={number} type="button" className={styles.chip} aria-pressed={isMarked(marks, mark)} onClick={() => onToggle(mark)}>
              {name}
            </button>
          );
        })}
      </div>
    </div>
  );
}
