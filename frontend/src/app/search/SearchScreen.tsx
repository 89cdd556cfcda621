import { useRef } from "react";
import { Dialog, Modal, ModalOverlay } from "react-aria-components";
import { Button } from "@/components/Button";
import { SearchBox } from "./SearchBox";
import styles from "./SearchBox.module.css";

interface Props {
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The search over the whole window, where its field does not fit the bar. */
export function SearchScreen({ isOpen, onOpenChange }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const close = () => onOpenChange(false);
  return (
    <ModalOverlay isOpen={isOpen} onOpenChange={onOpenChange} className={styles.overlay ?? ""}>
      <Modal className={styles.modal ?? ""}>
        <Dialog aria-label="Search" className={styles.dialog ?? ""}>
          <SearchBox inputRef={input} isScreen onLeave={close} />
          <div className={styles.cancel}><Button variant="quiet" onPress={close}>Cancel</Button></div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
