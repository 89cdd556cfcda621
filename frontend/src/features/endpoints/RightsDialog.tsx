import { useState } from "react";
import { Dialog } from "@/components/Dialog";
import { DialogForm } from "@/components/DialogForm";
import type { Endpoint, EndpointSettings } from "@/domains/endpoints/queries";
import { rightsOf, rightsRequest } from "./draft";
import { useChangeEndpoint } from "./mutations";
import { RightsFields } from "./RightsFields";

interface Props {
  endpoint: Endpoint;
  settings: EndpointSettings;
  onClose: () => void;
}

export function RightsDialog({ endpoint, settings, onClose }: Props) {
  const [rights, setRights] = useState(() => rightsOf(endpoint, settings));
  const change = useChangeEndpoint(endpoint.id);
  return (
    <Dialog title={`Rights to ${endpoint.name}`} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogForm
        onSubmit={() => change.mutate(rightsRequest(rights), { onSuccess: onClose })}
        onCancel={onClose}
        submitLabel="Set the rights"
        busyLabel="Setting"
        mutation={change}
      >
        <RightsFields rights={rights} onChange={(part) => setRights({ ...rights, ...part })} error={change.error} />
      </DialogForm>
    </Dialog>
  );
}
