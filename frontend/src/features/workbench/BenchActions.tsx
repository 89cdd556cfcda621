import { useMutation } from "@tanstack/react-query";
import { Download, Link as LinkIcon } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/Button";
import { fetchFile, keepFile } from "@/lib/downloads";
import { sentenceOf } from "@/lib/problems";
import type { Bench } from "./api";
import styles from "./QuestionPage.module.css";

/** Hand on what is seen: as a link, and as SerenQA's record. */
export function BenchActions({ bench, exportAddress }: { bench: Bench; exportAddress: string }) {
  const exporting = useMutation({
    mutationFn: async () => keepFile(await fetchFile({ address: exportAddress }), `partitions-${bench.question.file_id}.json`),
  });
  return (
    <div className={styles.actions}>
      <CopyLink />
      {bench.partitions.length > 0 && (
        <Button onPress={() => exporting.mutate()} isPending={exporting.isPending}>
          <Download size={16} aria-hidden /> {exporting.isPending ? "Exporting" : "Export partitions"}
        </Button>
      )}
      {exporting.isError && <p role="alert" className={styles.said}>Not exported: {sentenceOf(exporting.error)}</p>}
    </div>
  );
}

export function CopyLink() {
  const [said, say] = useState("");
  const copy = () =>
    navigator.clipboard.writeText(window.location.href).then(
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
