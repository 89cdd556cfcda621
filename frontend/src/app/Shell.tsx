import { RouterProvider as AriaRouter } from "react-aria-components";
import { Outlet, ScrollRestoration, useHref, useNavigate, useNavigation } from "react-router";
import { useMediaQuery } from "@/lib/useMediaQuery";
import { BottomBar } from "./BottomBar";
import { Footer } from "./Footer";
import { RetryNotice } from "./RetryNotice";
import styles from "./Shell.module.css";
import { WIDTH_OF_PLACES, TopBar } from "./TopBar";

/** Around every page: client-side navigation for React Aria, and the skip link. */
export function RootLayout() {
  const navigate = useNavigate();
  return (
    // oxlint-disable-next-line react/hooks -- React Aria calls it as the hook that it is
    <AriaRouter navigate={(to) => void navigate(to)} useHref={useHref}>
      <a className={styles.skip} href="#main">Skip to the page</a>
      <Outlet />
      <ScrollRestoration />
    </AriaRouter>
  );
}

/** Around every page but that of assignments: the bars, the main landmark and the footer. */
export function PageLayout() {
  const isNavigating = useNavigation().state === "loading";
  const hasPlacesAbove = useMediaQuery(WIDTH_OF_PLACES);
  return (
    <div className={styles.layout}>
      <TopBar />
      <main id="main" tabIndex={-1} className={styles.main}><Outlet /></main>
      <Footer />
      <RetryNotice isNavigating={isNavigating} />
      {!hasPlacesAbove && <BottomBar />}
    </div>
  );
}
