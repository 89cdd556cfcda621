import type { Walk } from "@/domains/graphs/walks/walk";
import type { Trajectory } from "./queries";

/** The levels of an exploration as steps of a walk; leaves that hit, where the server states them. */
export function trajectoryWalk({ levels, paths }: Trajectory): Walk {
  return {
    root: levels[0]?.frontier[0] ?? null,
    hits: new Set(paths.filter((path) => path.is_hit).map(({ leaf }) => leaf.id)),
    steps: levels.map(({ frontier, edges }) => ({
      frontier,
      rest: 0,
      offered: edges.map(({ source, phrase, target, is_chosen: isChosen }) => ({ source, phrase, target, isChosen })),
    })),
  };
}
