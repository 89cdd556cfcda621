import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { useNavigate } from "react-router";
import type { Dashboard } from "@/api/contract";
import { Button } from "@/components/Button";
import { Menu, MenuItem } from "@/components/Menu";
import { onDemand } from "@/components/onDemand";

const CloneDialog = onDemand(async () => (await import("./NameDialogs")).CloneDialog);
const FreezeDialog = onDemand(async () => (await import("./NameDialogs")).FreezeDialog);

/** What is done with a study once in its life. */
export function MoreMenu({ study }: { study: Dashboard["study"] }) {
  const [shown, setShown] = useState<"clone" | "freeze" | null>(null);
  const navigate = useNavigate();
  const close = () => setShown(null);
  return (
    <>
      <Menu label="More actions" trigger={<Button>More<ChevronDown size={14} aria-hidden /></Button>}>
        <MenuItem id="clone" label="Clone the study" hint="A draft with its design, questions and texts." onAction={() => setShown("clone")} />
        {study.status === "closed" && (
          <MenuItem id="freeze" label="Freeze the study" hint="A release that papers can cite." onAction={() => setShown("freeze")} />
        )}
        {study.status === "frozen" && (
          <MenuItem id="methods" label="Methods section" hint="For a paper, in Markdown." href={`/api/v1/studies/${study.id}/methods.md`} download />
        )}
        <MenuItem id="webhooks" label="Webhooks" hint="Events of the study, sent to a server of yours." onAction={() => void navigate("?tab=webhooks")} />
      </Menu>
      {shown === "clone" && <CloneDialog study={study} onClose={close} />}
      {shown === "freeze" && <FreezeDialog study={study} onClose={close} />}
    </>
  );
}
