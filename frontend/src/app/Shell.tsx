import { Outlet } from "react-router";

/** What surrounds every page but the ranking itself: the top bar and the place for the page. */
export function Shell() {
  return (
    <main id="main">
      <Outlet />
    </main>
  );
}
