import { CandidateName, PriorRankLabel } from "./CandidateName";
import { priorLabel } from "./labels";
import styles from "./RankedList.module.css";
import boardStyles from "./RankingBoard.module.css";
import type { BoardCandidate } from "./types";

/** The board in its first order, until what moves its cards has loaded: the same cards at the same places. */
export function StillBoard({ candidates }: { candidates: BoardCandidate[] }) {
  const order = candidates.map(({ id }) => [id]);
  return (
    <section className={boardStyles.board}>
      <div className={boardStyles.head}><h2>Put the most serendipitous first</h2></div>
      <ol className={styles.list}>
        {candidates.map((candidate, index) => (
          <li key={candidate.id} className={styles.item}>
            {index > 0 && <div className={styles.border} />}
            <div className={styles.card}>
              <span className={styles.still}>{index + 1}</span>
              <CandidateName candidate={candidate} onLinkOpened={() => {}} />
              <PriorRankLabel words={priorLabel(order, order, candidate.id, "start")} />
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
