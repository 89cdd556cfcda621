import { Button } from "@/components/Button";
import { Notice } from "@/components/Notice";
import styles from "./PartFailed.module.css";

/** Over the page, which stays as it is: a menu or dialog whose code did not arrive. */
export function PartFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <div className={styles.failed}>
      <Notice tone="bad">
        This part could not be loaded. Check your connection. <Button onPress={onRetry}>Try again</Button>
      </Notice>
    </div>
  );
}
