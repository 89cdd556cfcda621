import { useState } from "react";
import { useSearchParams } from "react-router";
import type { LeaderboardTrackDetail } from "@/api/contract";
import { onDemand } from "@/components/onDemand";
import { SkeletonRows } from "@/components/SkeletonRows";
import { useUrlParams } from "@/lib/useUrlParams";
import styles from "./FigureSections.module.css";

const FigureView = onDemand(async () => (await import("./FigureView")).FigureView);

export const FIGURE_TITLES: Record<string, string> = {
  scale: "Score against the size of the model",
  profile: "Metrics of every task side by side",
  complexity: "Score by the complexity of the question",
};
/** Where the same figure stands in print. */
const IN_PRINT: Record<string, string> = { scale: "Figure 5", profile: "Figure 6", complexity: "Figure 7" };

interface Props {
  track: LeaderboardTrackDetail;
  /** Whose board is compared; undefined where nothing was evaluated. */
  release: string | undefined;
}

/** Figures over printed and evaluated entries, each read once it is opened. */
export function FigureSections({ track, release }: Props) {
  if (track.figures.length === 0) return null;
  return (
    <section aria-labelledby="figures-heading" className={styles.section}>
      <h2 id="figures-heading">Figures</h2>
      <p className={styles.quiet}>Entries as printed and entries evaluated here are from other items. They are marked apart and not ranked together.</p>
      {track.figures.map((figure) => <FoldedFigure key={`${track.track} ${figure}`} track={track} figure={figure} release={release} />)}
    </section>
  );
}

function FoldedFigure({ track: { track, paper }, figure, release }: Props & { figure: string }) {
  const [address] = useSearchParams();
  const [, change] = useUrlParams();
  const [isOpen, setOpen] = useState(address.get("figure") === figure);
  const toggle = (opens: boolean) => {
    setOpen(opens);
    if (opens !== (address.get("figure") === figure)) change((current) => (opens ? { figure } : current.get("figure") === figure ? { figure: null } : {}));
  };
  return (
    <details className={styles.folded} open={isOpen} onToggle={(event) => toggle(event.currentTarget.open)}>
      <summary><h3>{FIGURE_TITLES[figure] ?? figure}</h3>{paper === "SerenQA" && <span className={styles.quiet}>as in SerenQA, {IN_PRINT[figure]}</span>}</summary>
      {isOpen && (
        <FigureView track={track} figure={figure} release={release} waiting={<SkeletonRows rows={6} />} />
      )}
    </details>
  );
}
