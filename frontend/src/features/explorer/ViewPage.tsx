import { useQuery } from "@tanstack/react-query";
import { Link, Navigate, useParams } from "react-router";
import { Failure } from "@/components/Loadable";
import { Notice } from "@/components/Notice";
import { Page } from "@/components/Page";
import { SkeletonRows } from "@/components/SkeletonRows";
import { isMissing } from "@/lib/problems";
import { viewQuery } from "./api";
import { addressOf } from "./views";

/** A permanent link: leads to the page that was saved, in the version that it was saved from. */
export function ViewPage() {
  const { id = "" } = useParams();
  const view = useQuery(viewQuery(id));
  if (view.isPending) {
    return (
      <Page title="Saved view">
        <div aria-busy="true"><SkeletonRows rows={5} height={44} /></div>
      </Page>
    );
  }
  if (view.isError) {
    return (
      <Page title={isMissing(view.error) ? "This view is not here" : "This view could not be read"}>
        <Failure error={view.error} onRetry={() => void view.refetch()} busy={view.isFetching} />
        <p><Link to="/explore">All graphs</Link></p>
      </Page>
    );
  }
  const { graph, snapshot, state, title } = view.data;
  const address = addressOf(graph, snapshot, state);
  if (address) return <Navigate to={address} replace />;
  return (
    <Page title={title || "Saved view"}>
      <Notice tone="warn">This view was saved in a way that this page cannot show.</Notice>
      <p><Link to={`/explore/${encodeURIComponent(graph)}`}>To the graph it belongs to</Link></p>
    </Page>
  );
}
