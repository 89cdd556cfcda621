import { Link2 } from "lucide-react";
import { useState } from "react";
import { useLocation } from "react-router";
import { Button } from "@/components/Button";
import { CopyText } from "@/components/CopyText";
import { Dialog, DialogActions } from "@/components/Dialog";
import { DialogForm } from "@/components/DialogForm";
import { TextField } from "@/components/TextField";
import { useGraphParams } from "@/domains/graphs/useGraphParams";
import { useCurrentUser } from "@/lib/currentUser";
import { useMutation } from "@/lib/useMutation";
import { useCurrentSearchParams } from "@/lib/useUrlParams";
import { saveView, type SavedView } from "./api";
import { toViewState, viewUrl } from "./savedViews";

interface Props {
  /** A title to begin with. */
  suggested: string;
  /** The version that the page shows: the link keeps to it. */
  snapshot: string;
}

/** Keeps what this page shows under a permanent link. */
export function SaveViewButton({ suggested, snapshot }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setOpen(true)}><Link2 size={16} aria-hidden />Save view</Button>
      {isOpen && <SaveViewForm suggested={suggested} snapshot={snapshot} onClose={() => setOpen(false)} />}
    </>
  );
}

function SaveViewForm({ suggested, snapshot, onClose }: Props & { onClose: () => void }) {
  const { slug } = useGraphParams();
  const { pathname } = useLocation();
  const here = useCurrentSearchParams();
  const isSignedIn = Boolean(useCurrentUser());
  const [title, setTitle] = useState(suggested);
  const saving = useMutation({
    mutationFn: () => saveView({ slug, snapshot }, title.trim(), toViewState(slug, pathname, here().toString())),
  });
  return (
    <Dialog title={saving.data ? "The view is saved" : "Save this view"} isOpen onOpenChange={(open) => !open && onClose()}>
      {saving.data ? <SavedViewLink view={saving.data} snapshot={snapshot} /> : (
        <DialogForm
          onSubmit={saving.mutate}
          onCancel={onClose}
          submitLabel="Save and get the link"
          busyLabel="Saving"
          isReady={title.trim() !== ""}
          mutation={saving}
        >
          <p>The link shows this view in this version of the graph to everyone who can see the graph{isSignedIn && ", with your name"}.</p>
          <TextField label="Title" value={title} onChange={setTitle} maxLength={200} autoFocus isRequired />
        </DialogForm>
      )}
      {saving.data && (
        <DialogActions><Button variant="primary" size="large" onPress={onClose} autoFocus>Done</Button></DialogActions>
      )}
    </Dialog>
  );
}

function SavedViewLink({ view, snapshot }: { view: SavedView; snapshot: string }) {
  return (
    <>
      <p>The link works as long as the graph exists.</p>
      <CopyText label="Permanent link" text={new URL(viewUrl(view.id, snapshot), window.location.origin).href} />
    </>
  );
}
