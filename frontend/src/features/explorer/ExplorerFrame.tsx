import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link, useLocation, useSearchParams } from "react-router";
import { Notice } from "@/components/Notice";
import { GraphFrame } from "@/domains/graphs/GraphFrame";
import { useGraphParams } from "@/domains/graphs/useGraphParams";
import { formatLongDate } from "@/lib/format";
import { viewQuery, type GraphDetail } from "./api";
import { isSameView, toViewState, viewLiveUrl, viewStateUrl } from "./savedViews";

interface Props {
  current?: string;
  children: (graph: GraphDetail) => ReactNode;
}

export function ExplorerFrame(props: Props) {
  return <GraphFrame notice={<SavedViewNotice />} {...props} />;
}

/** The title, author, date and version of the saved view that this page was opened from, and whether the page still shows it. */
function SavedViewNotice() {
  const [params] = useSearchParams();
  const id = params.get("view");
  const view = useQuery({ ...viewQuery(id ?? ""), enabled: id !== null }).data;
  const { slug, snapshot } = useGraphParams();
  const { pathname, search } = useLocation();
  if (!view || view.graph !== slug) return null;
  const url = viewStateUrl(view);
  const live = viewLiveUrl(view);
  const isChanged = !isSameView(view, toViewState(slug, pathname, search), snapshot);
  return (
    <Notice>
      <p>
        <strong>{view.title}</strong>. A view saved {view.author && <>by <bdi>{view.author}</bdi> </>}
        on {formatLongDate(view.created_at)}, of version {view.version} of the graph.{" "}
        {live && <Link to={live}>Open live</Link>}
        {isChanged && url && <>. This page has changed since: <Link to={url}>show the saved view</Link></>}
      </p>
    </Notice>
  );
}
