import { Download } from "lucide-react";
import { useSearchParams } from "react-router";
import { Button } from "@/components/Button";
import { CopyLink } from "@/components/CopyLink";
import { Menu, MenuItem } from "@/components/Menu";
import { fetchFile, saveFile, saveCsv } from "@/lib/downloads";
import { errorMessage } from "@/lib/errorMessages";
import { useMutation } from "@/lib/useMutation";
import type { Workbench } from "./api";
import styles from "./QuestionPage.module.css";
import { withPins, type PinnedParams } from "./useWeights";

interface Props {
  bench: Workbench;
  exportAddress: string;
  pins: PinnedParams;
  /** The candidates as they are weighed now. */
  table: () => string;
}

/** Shares what is shown: as a link, as a table, and as SerenQA's record. */
export function WorkbenchActions({ bench, exportAddress, pins, table }: Props) {
  const { file_id: name } = bench.question;
  const exporting = useMutation({
    mutationFn: async () => saveFile(await fetchFile({ url: exportAddress }), `partitions-${name}.json`),
  });
  const keepCandidates = () => saveCsv(table(), `candidates-${name}.csv`);
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
        <MenuItem id="csv" label="Candidates (CSV)" hint="R, N, S and RNS at these weights, with every parameter" onAction={keepCandidates} />
        {bench.partitions.length > 0 && (
          <MenuItem id="json" label="Partitions (JSON)" hint="SerenQA's record, with the paths between the sets" onAction={() => exporting.mutate()} />
        )}
      </Menu>
      {exporting.isError && <p role="alert" className={styles.status}>The export failed: {errorMessage(exporting.error)}</p>}
    </div>
  );
}

/** A link to just this: with the version of the graph and whatever else the address leaves open. */
export function CopyPinnedLink({ pins }: { pins: PinnedParams }) {
  const [params] = useSearchParams();
  const address = () => {
    const here = new URL(window.location.href);
    here.search = withPins(params, {}, pins).toString();
    return here.href;
  };
  return <CopyLink url={address} />;
}
