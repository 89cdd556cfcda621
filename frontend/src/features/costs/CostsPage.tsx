import { Download } from "lucide-react";
import { Button } from "@/components/Button";
import { Notice } from "@/components/Notice";
import { Page } from "@/components/Page";
import { SegmentedControl } from "@/components/SegmentedControl";
import { canOpen } from "@/domains/accounts/permissions";
import { readChoice } from "@/lib/choices";
import { useCurrentUser } from "@/lib/currentUser";
import { fetchFile, saveFile } from "@/lib/downloads";
import { errorMessage } from "@/lib/errorMessages";
import { useMutation } from "@/lib/useMutation";
import { useUrlParams } from "@/lib/useUrlParams";
import styles from "./Costs.module.css";
import { costsFile, spendingFile } from "./queries";
import { RunCosts } from "./RunCosts";
import { SpendingView } from "./SpendingView";

type Ending = "csv" | "json";
const ENDINGS: Ending[] = ["csv", "json"];
type View = "public" | "own" | "people";

const VIEWS: { value: View; label: string }[] = [
  { value: "public", label: "Public runs" },
  { value: "own", label: "My runs" },
  { value: "people", label: "By person" },
];
const INTROS: Record<View, string> = {
  public: "What the runs on the boards took: tokens, requests and dollars. Answers from the cache count at the price of the endpoint.",
  own: "What your own runs took, those without a result among them. Answers from the cache count at the price of the endpoint.",
  people: "What each person paid at each endpoint, by the ledger. Answers from the cache cost nothing here.",
};
const PERIODS = ["30", "90", "365"].map((value) => ({ value, label: `${value} days` }));

/** Tokens and dollars of runs; for administrators also by person. */
export function CostsPage() {
  const me = useCurrentUser();
  const [address, change] = useUrlParams();
  const views = VIEWS.filter(({ value }) => value === "public" || (me && (value === "own" || canOpen(me, "administrator"))));
  const view = readChoice(views, address.get("of"), "public");
  const period = readChoice(PERIODS, address.get("days"), "90");
  const days = Number(period);
  const download = useDownload((ending) => (view === "people" ? spendingFile(days, ending) : costsFile(view, ending)));
  return (
    <Page title="Costs of models" width="wide" parent={me ? { to: "/runs", label: "Runs" } : { to: "/leaderboard", label: "Leaderboard" }} intro={INTROS[view]} actions={<Downloads download={download} />}>
      {download.isError && <Notice tone="bad">{errorMessage(download.error)}</Notice>}
      {views.length > 1 && (
        <div className={styles.choices}>
          <SegmentedControl label="Whose costs" options={views} value={view} onChange={(of) => change({ of: of === "public" ? null : of })} />
          {view === "people" && <SegmentedControl label="Period" options={PERIODS} value={period} onChange={(chosen) => change({ days: chosen })} />}
        </div>
      )}
      {view === "people" ? <SpendingView days={days} /> : <RunCosts key={view} whose={view} />}
    </Page>
  );
}

/** A refusal is shown, and not saved as a file. */
function useDownload(fileOf: (ending: Ending) => string) {
  return useMutation({
    mutationFn: async (ending: Ending) => {
      const url = fileOf(ending);
      saveFile(await fetchFile({ url }), url.replace(/^.*\/|\?.*$/g, ""));
    },
  });
}

function Downloads({ download }: { download: ReturnType<typeof useDownload> }) {
  return ENDINGS.map((ending) => (
    <Button key={ending} onPress={() => download.mutate(ending)} isDisabled={download.isPending} aria-label={`Download ${ending.toUpperCase()}`}>
      <Download size={16} aria-hidden /> {ending.toUpperCase()}
    </Button>
  ));
}
