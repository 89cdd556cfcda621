import { formatCount } from "@/lib/format";
import { Button } from "./Button";
import styles from "./Pager.module.css";

interface Props {
  /** Of what, for screen readers: 'Pages of entries'. */
  label: string;
  offset: number;
  total: number;
  /** Rows of a page. */
  size: number;
  onOffset: (offset: number) => void;
}

/** Steps through a list page by page; nothing where one page holds it. */
export function Pager({ label, offset, total, size, onOffset }: Props) {
  if (total <= size && offset === 0) return null;
  return (
    <nav className={styles.pager} aria-label={label}>
      <Button onPress={() => onOffset(offset - size)} isDisabled={offset === 0}>Previous</Button>
      <span>{formatCount(offset + 1)} to {formatCount(Math.min(offset + size, total))} of {formatCount(total)}</span>
      <Button onPress={() => onOffset(offset + size)} isDisabled={offset + size >= total}>Next</Button>
    </nav>
  );
}
