import { Suspense, useState } from "react";
import { Button } from "@/components/Button";
import { SkeletonRows } from "@/components/SkeletonRows";
import type { PracticeInfo } from "@/domains/studies/studyKind";

/** A question of this kind of study to try before the first one, loaded on request. */
export function Practice({ practice: { linkLabel, Player } }: { practice: PracticeInfo }) {
  const [isOpen, setOpen] = useState(false);
  if (!isOpen) return <div><Button onPress={() => setOpen(true)}>{linkLabel}</Button></div>;
  return (
    <section aria-label="Practice">
      <Suspense fallback={<SkeletonRows rows={3} height={96} />}><Player showsLinks /></Suspense>
    </section>
  );
}
