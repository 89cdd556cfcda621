import { useQuery } from "@tanstack/react-query";
import { Navigate, Outlet, useLocation } from "react-router";
import { Page } from "@/components/Page";
import { LoadError } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { canOpen, type RequiredRole } from "@/domains/accounts/permissions";
import { currentUserQuery } from "@/lib/currentUser";
import styles from "./Guard.module.css";
import { Forbidden } from "./NotFound";

/** Shows its routes to users with the role; redirects visitors to sign in and back. */
export function RequireRole({ requires }: { requires: RequiredRole }) {
  const { data: me, error, refetch, isFetching } = useQuery(currentUserQuery);
  const { pathname, search } = useLocation();
  if (me === null) {
    return <Navigate to={`/sign-in?next=${encodeURIComponent(pathname + search)}`} replace />;
  }
  if (me) return canOpen(me, requires) ? <Outlet /> : <Forbidden />;
  if (!error) return <PageLoading />;
  return (
    <Page title="The page could not be loaded">
      <LoadError error={error} onRetry={() => void refetch()} isBusy={isFetching} />
    </Page>
  );
}

export function PageLoading() {
  return <div aria-busy="true" className={styles.waiting}><SkeletonRows rows={4} height={44} /></div>;
}
