import { RouterProvider as AriaRouter } from "react-aria-components";
import { Outlet, ScrollRestoration, useHref, useNavigate } from "react-router";
import styles from "./Shell.module.css";
import { TopBar } from "./TopBar";

/** Under every page: one way to navigate, and a way past the bar for the keyboard. */
export function Root() {
  const navigate = useNavigate();
  return (
    // oxlint-disable-next-line react/hooks -- React Aria calls it as the hook that it is
    <AriaRouter navigate={(to) => void navigate(to)} useHref={useHref}>
      <a className={styles.skip} href="#main">
        Skip to the page
      </a>
      <Outlet />
      <ScrollRestoration />
    </AriaRouter>
  );
}

/** What surrounds every page but the ranking itself: the top bar and the place for the page. */
export function Shell() {
  return (
    <>
      <TopBar />
      <main id="main" tabIndex={-1} className={styles.main}>
        <Outlet />
      </main>
    </>
  );
}
