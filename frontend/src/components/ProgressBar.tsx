import { ProgressBar as AriaProgressBar } from "react-aria-components";
import styles from "./ProgressBar.module.css";

/** How much is done; the words stand beside it, this only draws and names it. */
export function ProgressBar({ label, value, total }: { label: string; value: number; total: number }) {
  const share = total > 0 ? (100 * value) / total : 0;
  return (
    <AriaProgressBar aria-label={label} value={value} maxValue={Math.max(total, 1)} valueLabel={`${value} of ${total}`}>
      <div className={styles.track}><div className={styles.fill} style={{ width: `${share}%` }} /></div>
    </AriaProgressBar>
  );
}
