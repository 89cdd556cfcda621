import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useSearchParams } from "react-router";
import { Button } from "@/components/Button";
import { CopyLink } from "@/components/CopyLink";
import { Menu, MenuItem } from "@/components/Menu";
import { fetchFile, keepFile, keepTable } from "@/lib/downloads";
import { sentenceOf } from "@/lib/problems";
import type { Bench } from "./api";
import styles from "./QuestionPage.module.css";
import { pinned, type Pins } from "./useWeights";

interface Props {
  bench: Bench;
  exportAddress: string;
  pins: Pins;
  /** The candidates as they are weighed now. */
  table: () => string;
}

/** Hand on what is seen: as a link, as a table, and as SerenQA's record. */
export function BenchActions({ bench, exportAddress, pins, table }: Props) {
  const { file_id: name } = bench.question;
  const exporting = useMutation({
    mutationFn: async () => keepFile(await fetchFile({ address: exportAddress }), `partitions-${name}.json`),
  });
  const keepCandidates = () => keepTable(table(), `candidates-${name}.csv`);
  return (
    <div className={styles.actions}>
      <CopyPinnedLink pins={pins} />
      <Menu
        label="Export"
        trigger={
          <Button isPending={exporting.isPending}>
            <Download size={16} aria-hidden /> {exporting.isPending ? "Exporting" : "Export"}
          </Button>
        }
      >
        <MenuItem id="csv" label="Candidates (CSV)" hint="R, N, S and RNS as weighed now, with every parameter" onAction={keepCandidates} />
        {bench.partitions.length > 0 && (
          <MenuItem id="json" label="Partitions (JSON)" hint="SerenQA's record, with the paths between the sets" onAction={() => exporting.mutate()} />
        )}
      </Menu>
      {exporting.isError && <p role="alert" className={styles.said}>Not exported: {sentenceOf(exporting.error)}</p>}
    </div>
  );
}

/** A link to just this: with the version of the graph and whatever else the address leaves open. */
export function CopyPinnedLink({ pins }: { pins: Pins }) {
  const [params] = useSearchParams();
  const address = () => {
    const here = new URL(window.location.href);
    here.search = pinned(params, {}, pins).toString();
    return here.href;
  };
  return <CopyLink address={address} />;
}
