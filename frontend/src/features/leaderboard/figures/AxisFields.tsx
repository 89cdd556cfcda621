import type { Figure, FigureAxis } from "@/api/contract";
import { SelectField } from "@/components/SelectField";
import { useUrlParams } from "@/lib/useUrlParams";
import { metricsOf } from "./figureData";
import styles from "./Figures.module.css";

/** Which metric a figure shows, and over which items. The address has both. */
export function AxisFields({ figure, axis, hasItems = true }: { figure: Figure; axis: FigureAxis; hasItems?: boolean }) {
  const [, change] = useUrlParams();
  const metrics = metricsOf(figure);
  const items = figure.axes.filter(({ metric }) => metric === axis.metric);
  return (
    <div className={styles.fields}>
      {metrics.length > 1 && (
        <SelectField
          label="Metric"
          value={axis.metric}
          options={metrics.map(({ metric, label }) => ({ value: metric, label }))}
          onChange={(metric) => change({ of: metric })}
        />
      )}
      {hasItems && items.length > 1 && (
        <SelectField
          label="Items"
          value={axis.slice}
          options={items.map(({ slice }) => ({ value: slice, label: slice }))}
          onChange={(slice) => change({ of: axis.metric, over: slice })}
        />
      )}
    </div>
  );
}
