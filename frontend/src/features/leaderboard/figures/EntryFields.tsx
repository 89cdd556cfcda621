import type { Figure, FigureEntry } from "@/api/contract";
import { SelectField } from "@/components/SelectField";
import { useUrlParams } from "@/lib/useUrlParams";
import { MOST_COMPARED, NOBODY, optionLabel } from "./figureData";
import styles from "./Figures.module.css";
import { SeriesMark } from "./SeriesMark";

const PLACES = ["First entry", "Second entry", "Third entry"];

interface Props {
  figure: Figure;
  chosen: FigureEntry[];
  /** The name of the choice in the address. */
  parameter: string;
}

/** Up to three entries to compare, each with the mark that it has in the chart. */
export function EntryFields({ figure, chosen, parameter }: Props) {
  const [, change] = useUrlParams();
  const options = [{ value: NOBODY, label: "None" }, ...figure.entries.map((entry) => ({ value: entry.id, label: optionLabel(entry) }))];
  const choose = (place: number, id: string) => {
    const ids = chosen.map((entry) => entry.id);
    ids[place] = id;
    change({ [parameter]: [...new Set(ids.filter((one) => one && one !== NOBODY))] });
  };
  return (
    <div className={styles.fields}>
      {Array.from({ length: Math.min(MOST_COMPARED, chosen.length + 1) }, (_, place) => (
        <div key={PLACES[place]} className={styles.choice}>
          <SeriesMark place={place} />
          <SelectField
            label={PLACES[place] ?? ""}
            value={chosen[place]?.id ?? NOBODY}
            options={options.filter(({ value }) => value !== NOBODY || place > 0)}
            onChange={(id) => choose(place, id)}
            translate="no"
          />
        </div>
      ))}
    </div>
  );
}
