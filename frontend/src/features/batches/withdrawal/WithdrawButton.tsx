import { useState } from "react";
import type { ExpertBatch } from "@/api/contract";
import { Button } from "@/components/Button";
import { onDemand } from "@/components/onDemand";

const WithdrawDialog = onDemand(async () => (await import("./WithdrawDialog")).default);

export function WithdrawButton({ study }: { study: ExpertBatch["study"] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="quiet" onPress={() => setOpen(true)} aria-label={`Withdraw from ${study.name}`}>Withdraw</Button>
      {isOpen && <WithdrawDialog study={study} onClose={() => setOpen(false)} />}
    </>
  );
}
