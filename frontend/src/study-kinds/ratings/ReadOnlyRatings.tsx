import { ReadOnlyScales } from "@/domains/studies/scales/ReadOnlyScales";
import type { ReadOnlyProps } from "@/domains/studies/studyKind";
import type { RatingsAnswer, RatingsItem } from "./answer";
import { Details } from "./Details";

export function ReadOnlyRatings({ item, answer }: ReadOnlyProps<RatingsItem, RatingsAnswer>) {
  return <ReadOnlyScales item={item} answer={answer}><Details text={item.details} /></ReadOnlyScales>;
}
