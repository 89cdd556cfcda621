import { lazy, Suspense, useState } from "react";
import type { ExpertBatch } from "@/api/contract";
import { Button } from "@/components/Button";

const WithdrawDialog = lazy(() => import("./WithdrawDialog"));

export function WithdrawButton({ study }: { study: ExpertBatch["study"] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="quiet" onPress={() => setOpen(true)} aria-label={`Withdraw from ${study.name}`}>Withdraw</Button>
      {isOpen && <Suspense><WithdrawDialog study={study} onClose={() => setOpen(false)} /></Suspense>}
    </>
  );
}
