import type { ReactNode } from "react";
import { Dialog as AriaDialog, Modal, ModalOverlay } from "react-aria-components";
import styles from "./SidePanel.module.css";

export interface PanelProps {
  onClose: () => void;
  children: ReactNode;
}

/** The side panel over the page, where it does not fit beside the answer. */
export function DialogPanel({ onClose, children }: PanelProps) {
  return (
    <ModalOverlay className={styles.overlay ?? ""} isOpen isDismissable onOpenChange={(open) => !open && onClose()}>
      <Modal className={styles.sheet ?? ""}>
        <AriaDialog className={styles.over ?? ""} aria-label="Help and questions">{children}</AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
