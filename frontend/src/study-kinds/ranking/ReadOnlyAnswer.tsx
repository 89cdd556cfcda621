import type { ReadOnlyProps } from "@/domains/studies/studyKind";
import { orderOf, remarkLines, type RankingAnswer, type RankingItem } from "./answer";
import { CandidateName, PriorRankLabel } from "./board/CandidateName";
import { priorLabel } from "./board/labels";
import { competitionRanks, flattenRanking, isTied } from "./board/rankingModel";
import styles from "./ReadOnlyAnswer.module.css";

export function ReadOnlyAnswer({ item, answer, isDemo }: ReadOnlyProps<RankingItem, RankingAnswer>) {
  const order = orderOf(answer);
  return (
    <>
      <ol className={styles.list} aria-label="The order, most serendipitous first">
        {flattenRanking(order).map((id) => {
          const candidate = item.candidates.find((other) => other.id === id);
          if (!candidate) return null;
          return (
            <li key={id} className={styles.card}>
              <span className={styles.rank}>{competitionRanks(order).get(id)}{isTied(order, id) && "="}</span>
              <CandidateName candidate={candidate} onLinkOpened={ignore} />
              <PriorRankLabel words={priorLabel(order, item.prior, id, isDemo ? "start" : "model")} />
            </li>
          );
        })}
      </ol>
      <ReadOnlyRemarks item={item} answer={answer} />
    </>
  );
}

/** Nothing is written to a closed study, not even which links were followed. */
function ignore(): void {}

function ReadOnlyRemarks({ item, answer }: { item: RankingItem; answer: RankingAnswer }) {
  const lines = remarkLines(item, answer).filter(([, text]) => text !== "");
  if (!lines.length) return null;
  return (
    <dl className={styles.remarks}>
      {lines.map(([label, text]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
