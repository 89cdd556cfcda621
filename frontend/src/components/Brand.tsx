import { Link } from "react-router";
import styles from "./Brand.module.css";
import { Mark } from "./Mark";

interface Props {
  to: string;
  /** Where it leads, if not only home. */
  label?: string;
  /** The mark alone where the bar is narrow. */
  isShort?: boolean;
}

export function Brand({ to, label, isShort = false }: Props) {
  return (
    <Link to={to} className={styles.brand ?? ""} aria-label={label}>
      <Mark />
      <span className={isShort ? styles.long : undefined}>Serendib</span>
    </Link>
  );
}
