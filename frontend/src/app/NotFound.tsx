import { ButtonLink } from "@/components/Button";
import { Page } from "@/components/Page";
import { landingPageFor } from "@/domains/accounts/permissions";
import { useCurrentUser } from "@/lib/currentUser";
import styles from "./NotFound.module.css";

export function NotFound() {
  return (
    <Page title="Page not found">
      <p className={styles.text}>The address may be incomplete, or you do not have access. Check the link, or continue below.</p>
      <NextLink />
    </Page>
  );
}

export function Forbidden() {
  return (
    <Page title="No access to this page">
      <p className={styles.text}>Your account has no access to this page. If you need it, ask the person who invited you.</p>
      <NextLink />
    </Page>
  );
}

function NextLink() {
  const me = useCurrentUser();
  const place = me ? landingPageFor(me) : { path: "/", label: "To the front page" };
  return <div><ButtonLink to={place.path} variant="primary" size="large">{place.label}</ButtonLink></div>;
}
