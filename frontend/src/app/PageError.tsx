import { isRouteErrorResponse, useRouteError } from "react-router";
import { Button, ButtonLink } from "@/components/Button";
import { Page } from "@/components/Page";
import { NotFound } from "./NotFound";
import styles from "./NotFound.module.css";
import { TopBar } from "./TopBar";

/** A page that broke, or that could not be fetched: what was entered is safe, and how to go on. */
export function PageError() {
  const error = useRouteError();
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />;
  const isUnreached = isNotFetched(error);
  return (
    <Page title={isUnreached ? "This page could not be loaded" : "This page failed"}>
      <p className={styles.text}>
        {isUnreached
          ? "The server cannot be reached. Check your connection, then reload this page. Your saved work is safe."
          : "Your saved work is safe. Reload the page; if it fails again, report it to the person who invited you."}
      </p>
      <div className={styles.ways}>
        <Button variant="primary" size="large" onPress={() => window.location.reload()}>Reload this page</Button>
        <ButtonLink to="/" size="large">To the front page</ButtonLink>
      </div>
    </Page>
  );
}

/** Whether the code of the page did not arrive; each browser has words of its own for it. */
function isNotFetched(error: unknown): boolean {
  return error instanceof Error && /dynamically imported module|module script failed|unable to preload css/i.test(error.message);
}

/** The same, where the bar is not drawn already. */
export function RootError() {
  return (
    <>
      <TopBar />
      <main id="main"><PageError /></main>
    </>
  );
}
