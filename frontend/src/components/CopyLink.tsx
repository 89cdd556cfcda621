import { Link as LinkIcon } from "lucide-react";
import { useState } from "react";
import { Button } from "./Button";
import styles from "./CopyLink.module.css";

const here = () => window.location.href;

/** Copies the address of what is shown: that of the page, or a fuller one. */
export function CopyLink({ address = here }: { address?: () => string }) {
  const [said, say] = useState("");
  const copy = () =>
    navigator.clipboard.writeText(address()).then(
      () => say("Link copied"),
      () => say("Not copied: the browser does not allow it. The address bar has the link."),
    );
  return (
    <>
      {"clipboard" in navigator && (
        <Button onPress={() => void copy()}>
          <LinkIcon size={16} aria-hidden /> Copy link
        </Button>
      )}
      <span role="status" className={styles.said}>{said}</span>
    </>
  );
}
