import { useEffect, useRef, type ReactNode } from "react";
import { useLocation } from "react-router";
import { Breadcrumb } from "./Breadcrumb";
import styles from "./Page.module.css";

interface Props {
  title: string;
  /** Where this page hangs, when it is not reached from the top bar. */
  parent?: { to: string; label: string };
  intro?: ReactNode;
  /** Small words beside the title: a state, a label. */
  aside?: ReactNode;
  actions?: ReactNode;
  width?: "narrow" | "text" | "wide";
  children: ReactNode;
}

/** One page: its title in the tab, its heading as the place where reading starts. */
export function Page({ title, parent, intro, aside, actions, width = "text", children }: Props) {
  const heading = useFocusHeading(title);
  return (
    <div className={`${styles.page} ${width === "wide" ? "" : styles[width]}`}>
      <header className={styles.head}>
        <div className={styles.titles}>
          {parent && <Breadcrumb parents={[parent]} current={title} />}
          <div className={styles.line}><h1 ref={heading} tabIndex={-1} className={styles.title}>{title}</h1>{aside}</div>
          {intro && <p className={styles.lead}>{intro}</p>}
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
export function useFocusHeading(title: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { key, pathname } = useLocation();
  const focusedPath = useRef<string>(null);
  useEffect(() => {
    document.title = title === "Serendib" ? title : `${title} · Serendib`;
  }, [title]);
  useEffect(() => {
    if (focusedPath.current === pathname) return;
    focusedPath.current = pathname;
    const { activeElement } = document;
    const hasFocusInside = document.getElementById("main")?.contains(activeElement);
    // The first page of a visit keeps the browser's own start; a field that took focus keeps it.
    if (key !== "default" && !hasFocusInside && !activeElement?.matches("input, textarea")) heading.current?.focus();
  }, [key, pathname]);
  return heading;
}
