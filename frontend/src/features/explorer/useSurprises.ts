import { useQuery } from "@tanstack/react-query";
import { useGraphParams } from "@/domains/graphs/useGraphParams";
import { surprisesQuery, type Surprise } from "./api";

/** The surprises of the graph, once they are there; none of a past year, in which they may be untrue. */
export function useSurprises(): Surprise[] {
  const where = useGraphParams();
  const isWhole = !where.until;
  const { data } = useQuery({ ...surprisesQuery(where), enabled: isWhole });
  return (isWhole && data?.results) || [];
}
