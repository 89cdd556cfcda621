import { ButtonLink } from "@/components/Button";
import { Page } from "@/components/Page";
import { landingFor } from "@/lib/access";
import { useMe } from "@/lib/me";
import styles from "./NotFound.module.css";

export function NotFound() {
  return (
    <Page title="There is no page here">
      <p className={styles.text}>
        The address may have been cut short, or what was here may not be yours to open. Check the link,
        or go on from here.
      </p>
      <WayOn />
    </Page>
  );
}

export function NotForYou() {
  return (
    <Page title="This page is for others">
      <p className={styles.text}>
        Your account does not open this page. If it should, ask the person who invited you.
      </p>
      <WayOn />
    </Page>
  );
}

function WayOn() {
  const me = useMe();
  const place = me ? landingFor(me) : { to: "/", label: "To the front page" };
  return (
    <div>
      <ButtonLink to={place.to} look="primary" size="large">
        {place.label}
      </ButtonLink>
    </div>
  );
}
