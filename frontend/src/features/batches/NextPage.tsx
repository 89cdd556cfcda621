import { Navigate, useSearchParams } from "react-router";
import { Page } from "@/components/Page";
import { SkeletonRows } from "@/components/SkeletonRows";
import { nextPath } from "@/domains/studies/batches";
import { useBatches } from "@/domains/studies/useBatches";
import { BatchListLoader } from "./BatchListLoader";

/** Where links in e-mails lead: it opens the next question, of one study or of all. */
export function NextPage() {
  const [search] = useSearchParams();
  const batches = useBatches();
  return (
    <Page title="My next question">
      <BatchListLoader batches={batches} skeleton={<SkeletonRows rows={2} height={72} />}>
        {(rows) => (
          <Navigate to={nextPath(rows.filter(({ id }) => batches.canOpenOffline(id)), search.get("study") ?? undefined)} replace />
        )}
      </BatchListLoader>
    </Page>
  );
}
