import { UserPlus } from "lucide-react";
import { Suspense } from "react";
import type { Dashboard } from "@/api/contract";
import { Button } from "@/components/Button";
import { hasEnded } from "@/domains/studies/batches";
import type { DashboardInfo } from "@/domains/studies/studyKind";
import { ExportMenu } from "./ExportMenu";
import { MoreMenu } from "./life/MoreMenu";
import { StatusButton } from "./life/StatusButton";
import { StudySettingsButton } from "./StudySettingsDialog";

type DashboardStudy = Dashboard["study"];

interface Props {
  study: DashboardStudy;
  ResultAction: DashboardInfo["ResultAction"];
  onInvite: () => void;
}

/** The primary action is the next step: inviting experts, then using the answers. */
export function DashboardActions({ study, ResultAction, onInvite }: Props) {
  const isOpen = study.status === "open";
  return (
    <>
      <ExportMenu study={study.id} />
      {study.status !== "frozen" && (
        <>
          <StudySettingsButton study={study.id} />
          <StatusButton study={study.id} status={study.status} moves={study.moves} />
        </>
      )}
      <MoreMenu study={study} />
      {!hasEnded(study.status) && (
        <Button variant={isOpen ? "primary" : "plain"} onPress={onInvite}><UserPlus size={16} aria-hidden />Invite</Button>
      )}
      {ResultAction && <Suspense><ResultAction study={study.id} isOpen={!hasEnded(study.status)} /></Suspense>}
    </>
  );
}
