import { useState } from "react";
import { formatCount } from "@/lib/format";
import { Button } from "./Button";

interface FirstRows<Row> {
  shown: Row[];
  /** For the button; without one if there are no others. */
  more: { count: number; isWhole: boolean; toggle: () => void } | undefined;
}

/** The first of many rows, so that what is below them stays in sight. isAlways: rows that are shown in any case. */
export function useFirstRows<Row>(rows: Row[], first: number, isAlways: (row: Row) => boolean = () => false): FirstRows<Row> {
  const [isWhole, setWhole] = useState(false);
  const some = rows.filter((row, at) => at < first || isAlways(row));
  const more = some.length < rows.length ? { count: rows.length, isWhole, toggle: () => setWhole(!isWhole) } : undefined;
  return { shown: isWhole ? rows : some, more };
}

/** Shows the other rows, or the first ones again. */
export function AllRowsButton({ more, of = "" }: { more: FirstRows<unknown>["more"]; of?: string }) {
  if (!more) return null;
  const what = of && ` ${of}`;
  return (
    <div>
      <Button onPress={more.toggle} aria-expanded={more.isWhole}>{more.isWhole ? `Show fewer${what}` : `Show all ${formatCount(more.count)}${what}`}</Button>
    </div>
  );
}
