import { Check, Link as LinkIcon } from "lucide-react";
import { useState } from "react";
import { Button } from "./Button";
import styles from "./CopyLink.module.css";

const currentUrl = () => window.location.href;
const REFUSED = "Copying is not allowed in this browser. Copy the link from the address bar.";

/** Copies the address of what is shown: that of the page, or a fuller one. Its neighbours stay where they are. */
export function CopyLink({ url = currentUrl, note = "" }: { url?: () => string; /** Who can open the link, where not everybody can. */ note?: string }) {
  const [status, setStatus] = useState<"copied" | "refused" | null>(null);
  const copy = () => navigator.clipboard.writeText(url()).then(() => setStatus("copied"), () => setStatus("refused"));
  const isCopied = status === "copied";
  const Icon = isCopied ? Check : LinkIcon;
  return (
    <span className={styles.copy}>
      {"clipboard" in navigator && <Button onPress={() => void copy()}><Icon size={16} aria-hidden /> Copy link</Button>}
      <span role="status" className={isCopied && note === "" ? "visually-hidden" : styles.status}>
        {isCopied ? (note ? `Link copied. ${note}` : "Link copied") : status === "refused" ? REFUSED : ""}
      </span>
    </span>
  );
}
