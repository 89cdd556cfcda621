import { useMutation } from "@tanstack/react-query";
import { Link2 } from "lucide-react";
import { useState } from "react";
import { useLocation } from "react-router";
import { Button } from "@/components/Button";
import { Copy } from "@/components/Copy";
import { Dialog, DialogActions } from "@/components/Dialog";
import { Form } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { TextField } from "@/components/TextField";
import { useWhere } from "@/components/graph/useWhere";
import { sentenceOf } from "@/lib/problems";
import { saveView, type SavedView } from "./api";
import { useHere } from "@/components/graph/useHere";
import { stateOf, viewPlace } from "./views";

interface Props {
  /** A title to begin with. */
  suggested: string;
  /** The version that the page shows: the link keeps to it. */
  snapshot: string;
}

/** Keeps what this page shows under a permanent link. */
export function SaveView({ suggested, snapshot }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setOpen(true)}>
        <Link2 size={16} aria-hidden />
        Save view
      </Button>
      {isOpen && <Saving suggested={suggested} snapshot={snapshot} onClose={() => setOpen(false)} />}
    </>
  );
}

function Saving({ suggested, snapshot, onClose }: Props & { onClose: () => void }) {
  const { slug } = useWhere();
  const { pathname } = useLocation();
  const here = useHere();
  const [title, setTitle] = useState(suggested);
  const saving = useMutation({
    mutationFn: () => saveView({ slug, snapshot }, title.trim(), stateOf(slug, pathname, here().toString())),
  });
  return (
    <Dialog title={saving.data ? "The view is saved" : "Save this view"} isOpen onOpenChange={(open) => !open && onClose()}>
      {saving.data ? (
        <Saved view={saving.data} snapshot={snapshot} />
      ) : (
        <Form onSubmit={() => title.trim() && !saving.isPending && saving.mutate()}>
          <p>The link shows exactly this, from exactly this version of the graph, to everybody who may see the graph.</p>
          <TextField label="Title" value={title} onChange={setTitle} maxLength={200} autoFocus isRequired />
          {saving.isError && <Notice tone="bad">{sentenceOf(saving.error)}</Notice>}
          <DialogActions>
            <Button size="large" onPress={onClose}>Cancel</Button>
            <Button type="submit" look="primary" size="large" isDisabled={!title.trim() || saving.isPending}>
              {saving.isPending ? "Saving" : "Save and get the link"}
            </Button>
          </DialogActions>
        </Form>
      )}
      {saving.data && (
        <DialogActions>
          <Button look="primary" size="large" onPress={onClose} autoFocus>Done</Button>
        </DialogActions>
      )}
    </Dialog>
  );
}

function Saved({ view, snapshot }: { view: SavedView; snapshot: string }) {
  return (
    <>
      <p>It stays as long as the graph does.</p>
      <Copy label="Permanent link" text={new URL(viewPlace(view.id, snapshot), window.location.origin).href} />
    </>
  );
}
