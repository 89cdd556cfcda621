import { ButtonLink } from "@/components/Button";
import { Page } from "@/components/Page";
import { landingFor } from "@/lib/access";
import { useMe } from "@/lib/me";
import styles from "./Front.module.css";
import { PracticePreview } from "./PracticePreview";
import { Tracks } from "./Tracks";

export function FrontPage() {
  return (
    <Page title="Serendib">
      <p className={styles.what}>
        A knowledge graph can answer a medical question with something that nobody was looking for. Here
        physicians and researchers judge whether such an answer is relevant, new and surprising. Their
        judgements become the benchmarks that language models are measured by.
      </p>
      <Ways />
      <PracticePreview />
      <Tracks />
    </Page>
  );
}

function Ways() {
  const me = useMe();
  const place = me ? landingFor(me) : { to: "/sign-in", label: "Sign in" };
  return (
    <div className={styles.ways}>
      <ButtonLink to={place.to} look="primary" size="large">
        {place.label}
      </ButtonLink>
      <ButtonLink to="/practice" size="large">
        Rank a practice question
      </ButtonLink>
    </div>
  );
}
