import { useState, type ReactNode } from "react";
import type { Board } from "@/api/contract";
import { InviteDialog, type RoleOption } from "@/components/invitations/InviteDialog";
import { invitationsPath } from "./queries";
import { batchHint, batchLabel } from "./words";

const ROLES: [RoleOption, ...RoleOption[]] = [
  { value: "expert", label: "Expert", hint: "Ranks the questions of the batches below." },
  { value: "coordinator", label: "Coordinator", hint: "Sees this board and every answer, invites and exports." },
];

/** The dialog that invites to this study, and what opens it. */
export function useInviting({ study, batches }: Board): { open: () => void; dialog: ReactNode } {
  const [isOpen, setIsOpen] = useState(false);
  const dialog = (
    <InviteDialog
      path={invitationsPath(study.id)}
      roles={ROLES}
      batches={batches.map((batch) => ({ id: batch.id, name: batchLabel(batch), hint: batchHint(batch) }))}
      isOpen={isOpen}
      onClose={() => setIsOpen(false)}
    />
  );
  return { open: () => setIsOpen(true), dialog };
}
