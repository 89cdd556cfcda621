import { useState } from "react";
import { useNavigate } from "react-router";
import { Button } from "@/components/Button";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { useCurrentUser } from "@/lib/currentUser";
import { forgetPlace } from "@/lib/recentPlaces";
import { useDeleteDraft } from "./mutations";

/** For a release that was never opened. */
export function DeleteDraft({ slug, version }: { slug: string; version: number }) {
  const [isOpen, setOpen] = useState(false);
  const remove = useDeleteDraft(slug);
  const navigate = useNavigate();
  const me = useCurrentUser();
  const close = () => {
    setOpen(false);
    remove.reset();
  };
  const leave = () => {
    forgetPlace(me?.id, `/releases/${slug}`);
    void navigate("/releases");
  };
  return (
    <>
      <Button onPress={() => setOpen(true)}>Delete</Button>
      <ConfirmDialog
        title="Delete this draft?"
        isOpen={isOpen}
        onClose={close}
        confirmLabel="Delete it"
        busyLabel="Deleting"
        onConfirm={() => remove.mutate(version, { onSuccess: leave })}
        mutation={remove}
      >
        <p>Its items, answers, texts and masked graphs are deleted for good. Nothing brings them back.</p>
      </ConfirmDialog>
    </>
  );
}
