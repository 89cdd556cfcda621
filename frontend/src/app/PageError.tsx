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
  return (
    <Page title="This page stopped">
      <p className={styles.text}>
        Something in it did not work, or it could not be fetched. What you had saved is saved. Load it
        again; if it stops again, tell the person who invited you what you were doing.
      </p>
      <div className={styles.ways}>
        <Button look="primary" size="large" onPress={() => window.location.reload()}>
          Load this page again
        </Button>
        <ButtonLink to="/" size="large">
          To the front page
        </ButtonLink>
      </div>
    </Page>
  );
}

/** The same, where the bar is not drawn already. */
export function WholePageError() {
  return (
    <>
      <TopBar />
      <main id="main">
        <PageError />
      </main>
    </>
  );
}
