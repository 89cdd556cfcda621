import { Button } from "@/components/Button";
import { onDemand } from "@/components/onDemand";
import { useAnnouncer } from "@/components/useAnnouncer";
import { isSubmitChord } from "@/domains/studies/submitChord";
import { useShortcutSetting } from "@/lib/shortcutSetting";
import { isSameOrder, type Ranking } from "../board/rankingModel";
import { StillBoard } from "../board/StillBoard";
import { useRanking } from "../board/useRanking";
import styles from "./Practice.module.css";
import type { PracticeQuestion } from "./practiceQuery";

/** Its drag and drop is the largest part of the front page, and loads once the question is on the screen. */
const RankingBoard = onDemand(async () => (await import("../board/RankingBoard")).RankingBoard);

interface Props {
  item: PracticeQuestion["item"];
  showsLinks: boolean;
  onDone: (ranking: Ranking) => void;
}

export function PracticeTrial({ item, showsLinks, onDone }: Props) {
  const control = useRanking(item.prior);
  const [letters] = useShortcutSetting();
  const { announce, region } = useAnnouncer();
  const agrees = isSameOrder(control.ranking, item.prior);
  const candidates = showsLinks ? item.candidates : item.candidates.map((one) => ({ ...one, link: "" }));
  return (
    // The same chord as in a study ends the question from anywhere in it.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={styles.trial}
      onKeyDown={(event) => {
        if (!isSubmitChord(event)) return;
        event.preventDefault();
        onDone(control.ranking);
      }}
    >
      <RankingBoard
        candidates={candidates}
        prior={item.prior}
        priorName="start"
        control={control}
        shortcutsEnabled={letters}
        announce={announce}
        waiting={<StillBoard candidates={candidates} />}
      />
      <div className={styles.ways}>
        <Button variant="primary" size="large" onPress={() => onDone(control.ranking)}>
          {agrees ? "Show what this order means" : "Show what my order means"}
        </Button>
        <p className={styles.note}>Nothing is saved or sent.</p>
      </div>
      {region}
    </div>
  );
}
