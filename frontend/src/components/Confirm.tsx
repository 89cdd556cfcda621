import type { ReactNode } from "react";
import { sentenceOf } from "@/lib/problems";
import { Button } from "./Button";
import { Dialog, DialogActions } from "./Dialog";
import { Notice } from "./Notice";

interface Props {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** What the button says that it will do, and says while it is done. */
  action: string;
  doing: string;
  /** What the way back says. */
  back?: string;
  onConfirm: () => void;
  busy: boolean;
  error: unknown;
  children: ReactNode;
}

/** A question before something that is not lightly undone; the way back has the focus. */
export function Confirm({ title, isOpen, onClose, action, doing, back = "Cancel", onConfirm, busy, error, children }: Props) {
  return (
    <Dialog title={title} isOpen={isOpen} onOpenChange={(open) => !open && onClose()}>
      {children}
      {error ? <Notice tone="bad">{sentenceOf(error)}</Notice> : null}
      <DialogActions>
        <Button size="large" onPress={onClose} autoFocus>
          {back}
        </Button>
        <Button look="primary" size="large" onPress={onConfirm} isDisabled={busy}>
          {busy ? doing : action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
