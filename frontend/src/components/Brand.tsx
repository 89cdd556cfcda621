import { Link } from "react-router";
import styles from "./Brand.module.css";

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
      <Logo />
      <span className={isShort ? styles.long : undefined}>Serendib</span>
    </Link>
  );
}

/** The drop. Always beside the name, so it has no label itself. */
function Logo() {
  return (
    <svg width={18} height={18} viewBox="0 0 24 24" aria-hidden>
      <path fill="var(--accent)" d="M12 23c-1 0-9-7.6-9-13.4A9 9 0 0 1 12 1a9 9 0 0 1 9 8.6C21 15.4 13 23 12 23Z" />
    </svg>
  );
}
