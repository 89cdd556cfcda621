import type { ExpertBatch, Id } from "@/api/contract";
import { ButtonLink } from "@/components/Button";
import { Empty } from "@/components/Empty";
import { Page } from "@/components/Page";
import { SkeletonRows } from "@/components/SkeletonRows";
import { Tag } from "@/components/Tag";
import { nextBatch } from "@/lib/batches";
import { useHeldAnswers } from "@/lib/held";
import { useBatches } from "@/lib/useBatches";
import { BatchRow } from "./BatchRow";
import styles from "./Batches.module.css";
import { HeldAnswers } from "./HeldAnswers";
import { Known } from "./Known";

export function HomePage() {
  const batches = useBatches();
  const held = useHeldAnswers();
  return (
    <Page title="My batches">
      <HeldAnswers held={held} />
      <Known batches={batches} skeleton={<SkeletonRows rows={4} height={72} />}>
        {(rows) => <Studies rows={rows} opens={batches.opens} />}
      </Known>
    </Page>
  );
}

interface Props {
  rows: ExpertBatch[];
  opens: (batch: Id) => boolean;
}

function Studies({ rows, opens }: Props) {
  if (rows.length === 0) {
    return (
      <Empty>
        Your batches of questions will be here as soon as a coordinator assigns some to you. There is
        nothing you need to do.
      </Empty>
    );
  }
  const next = nextBatch(rows.filter(({ id }) => opens(id)))?.id;
  return (
    <>
      {byStudy(rows).map(({ study, batches }) => (
        <section key={study.id} className={styles.study} aria-labelledby={`study-${study.id}`}>
          <div className={styles.heading}>
            <h2 id={`study-${study.id}`}>{study.name}</h2>
            {study.is_demo && <Tag>demo</Tag>}
            {study.status === "closed" && <Tag>closed</Tag>}
          </div>
          {study.consent_needed && <IntroductionFirst study={study} />}
          <ul className={styles.list}>
            {batches.map((batch) => (
              <BatchRow key={batch.id} batch={batch} isNext={batch.id === next} opens={opens(batch.id)} />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

/** One way on for all batches of a study whose introduction she has not agreed to. */
function IntroductionFirst({ study }: { study: ExpertBatch["study"] }) {
  return (
    <div className={styles.first}>
      <p>Before the first question comes a short introduction; then you decide whether to take part.</p>
      <ButtonLink to={`/studies/${study.id}/introduction`} look="primary" size="large">
        Read the introduction
      </ButtonLink>
    </div>
  );
}

function byStudy(rows: ExpertBatch[]): { study: ExpertBatch["study"]; batches: ExpertBatch[] }[] {
  const studies = new Map<Id, { study: ExpertBatch["study"]; batches: ExpertBatch[] }>();
  for (const batch of rows) {
    const group = studies.get(batch.study.id) ?? { study: batch.study, batches: [] };
    group.batches.push(batch);
    studies.set(batch.study.id, group);
  }
  return [...studies.values()];
}
