import { ChevronRight } from "lucide-react";
import { Link } from "react-router";
import styles from "./Breadcrumb.module.css";

interface Props {
  parents: { to: string; label: string }[];
  /** This page; without it, the last parent is followed by what stands below. */
  current?: string;
  /** Of the landmark; another where a page has two. */
  label?: string;
}

/** The pages above this one, and this one. */
export function Breadcrumb({ parents, current, label = "Where you are" }: Props) {
  return (
    <nav aria-label={label} className={styles.nav}>
      <ol className={styles.places}>
        {parents.map(({ to, label: name }, at) => (
          <li key={to} className={styles.place}>
            {at > 0 && <ChevronRight size={14} aria-hidden className={styles.arrow} />}
            <Link to={to}>{name}</Link>
          </li>
        ))}
        {current && (
          <li className={styles.place}>
            <ChevronRight size={14} aria-hidden className={styles.arrow} />
            <span aria-current="page" className={styles.current}>{current}</span>
          </li>
        )}
      </ol>
    </nav>
  );
}
