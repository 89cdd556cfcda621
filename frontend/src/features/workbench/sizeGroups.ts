import { formatCount } from "@/lib/format";
import type { SizeCount } from "./api";

/** At most this many bars. */
const MOST_GROUPS = 12;

export interface SizeGroup {
  /** '4', or '4 to 6'. */
  name: string;
  low: number;
  high: number;
  questions: number;
}

/** Sizes in spans of equal width, the first from the smallest size; spans without questions stay. */
export function groupSizes(sizes: SizeCount[]): SizeGroup[] {
  const [first] = sizes;
  const last = sizes.at(-1);
  if (!first || !last) return [];
  const width = Math.ceil((last.size - first.size + 1) / MOST_GROUPS);
  const count = Math.floor((last.size - first.size) / width) + 1;
  return Array.from({ length: count }, (_, place) => {
    const low = first.size + place * width;
    const high = Math.min(low + width - 1, last.size);
    const inside = sizes.filter(({ size }) => low <= size && size <= high);
    const name = low === high ? formatCount(low) : `${formatCount(low)} to ${formatCount(high)}`;
    return { name, low, high, questions: inside.reduce((sum, { questions }) => sum + questions, 0) };
  });
}
