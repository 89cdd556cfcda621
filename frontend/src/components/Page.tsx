import { ChevronRight } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";
import { Link, useLocation } from "react-router";
import styles from "./Page.module.css";

interface Props {
  title: string;
  /** Where this page hangs, when it is not reached from the top bar. */
  parent?: { to: string; label: string };
  lead?: ReactNode;
  /** Small words beside the title: a state, a label. */
  aside?: ReactNode;
  actions?: ReactNode;
  width?: "narrow" | "text" | "wide";
  children: ReactNode;
}

/** One page: its title in the tab, its heading as the place where reading starts. */
export function Page({ title, parent, lead, aside, actions, width = "text", children }: Props) {
  const heading = useArrival(title);
  return (
    <div className={`${styles.page} ${styles[width]}`}>
      <header className={styles.head}>
        <div className={styles.titles}>
          {parent && (
            <nav aria-label="Where you are" className={styles.parent}>
              <Link to={parent.to}>{parent.label}</Link>
              <ChevronRight size={14} aria-hidden />
            </nav>
          )}
          <div className={styles.line}>
            <h1 ref={heading} tabIndex={-1} className={styles.title}>
              {title}
            </h1>
            {aside}
          </div>
          {lead && <p className={styles.lead}>{lead}</p>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/**
 * Names the tab; after a navigation to another page inside the app, moves focus to the heading.
 * A page whose address follows what is done on it keeps the focus where that is done.
 */
export function useArrival(title: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { key, pathname } = useLocation();
  const arrivedAt = useRef<string>(null);
  useEffect(() => {
    document.title = title === "Serendib" ? title : `${title} · Serendib`;
  }, [title]);
  useEffect(() => {
    if (arrivedAt.current === pathname) return;
    arrivedAt.current = pathname;
    const { activeElement } = document;
    const inside = document.getElementById("main")?.contains(activeElement);
    // The first page of a visit keeps the browser's own start; a field that took focus keeps it.
    if (key !== "default" && !inside && !activeElement?.matches("input, textarea")) heading.current?.focus();
  }, [key, pathname]);
  return heading;
}
