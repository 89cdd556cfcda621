import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { Empty } from "@/components/Empty";
import { Loadable } from "@/components/Loadable";
import { ButtonLink } from "@/components/Button";
import { Definition } from "@/components/definition";
import { Page } from "@/components/Page";
import { SkeletonRows } from "@/components/SkeletonRows";
import { batchesQuery } from "@/lib/batches";
import { Consent } from "./Consent";
import { HowToRank } from "./HowToRank";
import styles from "./Introduction.module.css";
import { WhatIsRecorded } from "./WhatIsRecorded";

/** One screen before the first question of a study. */
export function IntroductionPage() {
  const { studyId } = useParams();
  const batches = useQuery(batchesQuery);
  const study = batches.data?.find((batch) => batch.study.id === studyId)?.study;
  return (
    <Page title="Before you begin" parent={{ to: "/home", label: "My batches" }} lead={study?.name}>
      <section className={styles.section} aria-labelledby="meaning-heading">
        <h2 id="meaning-heading">What serendipitous means here</h2>
        <Definition />
      </section>
      <HowToRank demo={study?.is_demo ?? false} />
      <WhatIsRecorded />
      <Loadable query={batches} skeleton={<SkeletonRows rows={2} height={48} />}>
        {(rows) => (study ? <Consent study={study} rows={rows} /> : <NoBatches />)}
      </Loadable>
    </Page>
  );
}

function NoBatches() {
  return (
    <Empty action={<ButtonLink to="/home">My batches</ButtonLink>}>
      No batch of this study is yours yet. Its coordinator assigns them; then you can begin here.
    </Empty>
  );
}
