import { useQuery } from "@tanstack/react-query";
import { Navigate, Outlet, useLocation } from "react-router";
import { Failure } from "@/components/Loadable";
import { Page } from "@/components/Page";
import { SkeletonRows } from "@/components/SkeletonRows";
import { mayOpen, type Need } from "@/lib/access";
import { meQuery } from "@/lib/me";
import styles from "./Guard.module.css";
import { NotForYou } from "./NotFound";

/** Lets a person through to the pages that are hers; sends a visitor to sign in and back. */
export function Guard({ need }: { need: Need }) {
  const { data: me, error, refetch, isFetching } = useQuery(meQuery);
  const { pathname, search } = useLocation();
  if (me === null) {
    return <Navigate to={`/sign-in?next=${encodeURIComponent(pathname + search)}`} replace />;
  }
  if (me) return mayOpen(me, need) ? <Outlet /> : <NotForYou />;
  if (!error) return <Waiting />;
  return (
    <Page title="Not reached">
      <Failure error={error} onRetry={() => void refetch()} busy={isFetching} />
    </Page>
  );
}

export function Waiting() {
  return (
    <div aria-busy="true" className={styles.waiting}>
      <SkeletonRows rows={4} height={44} />
    </div>
  );
}
