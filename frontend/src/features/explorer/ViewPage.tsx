import { useQuery } from "@tanstack/react-query";
import { Link, Navigate, useParams } from "react-router";
import { Notice } from "@/components/Notice";
import { Page } from "@/components/Page";
import { LoadError } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { isNotFound } from "@/lib/errorMessages";
import { viewQuery } from "./api";
import { viewStateUrl } from "./savedViews";

/** A permanent link: leads to the page that was saved, in the version that it was saved from. */
export function ViewPage() {
  const { id = "" } = useParams();
  const view = useQuery(viewQuery(id));
  if (view.isPending) {
    return <Page title="Saved view"><div aria-busy="true"><SkeletonRows rows={5} height={44} /></div></Page>;
  }
  if (view.isError) {
    return (
      <Page title={isNotFound(view.error) ? "Saved view not found" : "The saved view could not be loaded"}>
        <LoadError error={view.error} onRetry={() => void view.refetch()} isBusy={view.isFetching} />
        <p><Link to="/explore">All graphs</Link></p>
      </Page>
    );
  }
  const { graph, title } = view.data;
  const url = viewStateUrl(view.data);
  if (url) return <Navigate to={url} replace />;
  return (
    <Page title={title || "Saved view"}>
      <Notice tone="warn">This page cannot show this saved view.</Notice>
      <p><Link to={`/explore/${encodeURIComponent(graph)}`}>Open its graph</Link></p>
    </Page>
  );
}
