import { useQuery } from "@tanstack/react-query";
import { Facts } from "@/components/Facts";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { formatPlural } from "@/lib/format";
import styles from "../Grounding.module.css";
import { SOURCE_LABELS } from "../labels";
import { AgreementGroups } from "./AgreementGroups";
import { coefficientWithInterval, shareWithInterval, simulatedText } from "./figures";
import { agreementQuery } from "./queries";

/** How far verdicts of this verifier may be trusted, by what experts decided elsewhere. */
export function AgreementSection({ id }: { id: string }) {
  const agreements = useQuery(agreementQuery(id));
  return (
    <section className={styles.section} aria-label="Agreement with experts">
      <h2>How often experts agree with this verifier</h2>
      <QueryBoundary query={agreements} skeleton={<SkeletonRows rows={2} />} empty={<p>No expert has judged such claims yet.</p>}>
        {(all) => (
          <>
            <Facts>
              {all.map(({ source, agreement, kappa, verdicts, rationales, simulated, reason }) => (
                <div key={source}>
                  <dt>{SOURCE_LABELS[source]}</dt>
                  <dd>
                    {agreement && <>{shareWithInterval(agreement)}, over {formatPlural(verdicts, "claim")} of {formatPlural(rationales, "rationale")}. </>}
                    {kappa && <>Kappa {coefficientWithInterval(kappa)}. </>}
                    {simulated > 0 && <>{simulatedText(simulated, verdicts)}. </>}
                    {reason}
                  </dd>
                </div>
              ))}
            </Facts>
            <AgreementGroups label="Agreement by types of entities and by graph" agreements={all} title="By types of entities and by graph" />
          </>
        )}
      </QueryBoundary>
    </section>
  );
}
