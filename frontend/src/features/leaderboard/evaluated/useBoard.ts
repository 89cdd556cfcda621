import { useQuery } from "@tanstack/react-query";
import { boardQuery, type Board, type Release } from "@/domains/evaluation/queries";
import { useUrlParams } from "@/lib/useUrlParams";
import { pageQuery, readBoardView } from "./boardView";
import { POLL_MS, useBoardUpdates } from "./useBoardUpdates";

export type BoardState = ReturnType<typeof useBoard>;

/** The page of a release's board that the address names. */
export function useBoard(release: Release) {
  const [address] = useUrlParams();
  const view = readBoardView(address);
  const isFixed = Boolean(view.at ?? release.corrected_by);
  const connection = useBoardUpdates(isFixed ? null : release.slug);
  const board = useQuery({
    ...boardQuery(release.slug, pageQuery(view)),
    placeholderData: (previous: Board | undefined) => (previous?.release === release.slug ? previous : undefined),
    refetchInterval: isFixed || connection === "live" ? false : POLL_MS,
  });
  return {
    board,
    isPending: board.data === undefined && !board.isError,
    view,
    isFixed,
    connection,
  };
}
