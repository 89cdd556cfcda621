import { useState } from "react";
import { Button } from "@/components/Button";
import { onDemand } from "@/components/onDemand";

const ConflictDialog = onDemand(async () => (await import("./ConflictDialog")).default);

interface Props {
  isPending: boolean;
  onDeclare: (reason: string) => void;
}

/** The way to skip a question for good. */
export function ConflictButton({ isPending, onDeclare }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="quiet" size="large" isPending={isPending} onPress={() => setOpen(true)} aria-label="Conflict of interest: I cannot judge this">Conflict</Button>
      {isOpen && <ConflictDialog onDeclare={onDeclare} onClose={() => setOpen(false)} />}
    </>
  );
}
