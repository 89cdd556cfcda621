import type { CurrentUser, StudyRole } from "@/api/contract";

export type RequiredRole = "person" | "expert" | "researcher" | "coordinator" | "administrator";

function hasRole(me: CurrentUser, role: StudyRole): boolean {
  return me.studies.some((study) => study.roles.includes(role));
}

/** Mirrors the server's rules, so that nothing is offered which it would refuse. */
export function canOpen(me: CurrentUser, need: RequiredRole): boolean {
  if (need === "person") return true;
  if (need === "expert") return hasRole(me, "expert");
  if (need === "researcher") return me.roles.researcher || me.roles.administrator;
  if (need === "administrator") return me.roles.administrator;
  return me.roles.administrator || me.roles.coordinator || hasRole(me, "coordinator");
}

export interface NavigationItem {
  path: string;
  label: string;
}

/** The navigation: only what exists, and only what this person may open. */
export function navigationFor(me: CurrentUser | null | undefined): NavigationItem[] {
  const places: [RequiredRole, NavigationItem][] = [
    ["expert", { path: "/home", label: "My batches" }],
    ["coordinator", { path: "/studies", label: "Studies" }],
    ["researcher", { path: "/submissions", label: "Submissions" }],
    ["administrator", { path: "/people", label: "People" }],
    ["administrator", { path: "/endpoints", label: "Endpoints" }],
  ];
  const mine = me ? places.filter(([need]) => canOpen(me, need)).map(([, place]) => place) : [];
  return [
    ...mine,
    { path: "/explore", label: "Explore" },
    { path: "/workbench", label: "Benchmarks" },
    { path: "/releases", label: "Releases" },
    { path: "/leaderboard", label: "Leaderboard" },
  ];
}

export function landingPageFor(me: CurrentUser): NavigationItem {
  if (canOpen(me, "expert")) return { path: "/home", label: "Continue to my batches" };
  const coordinated = me.studies.filter((study) => study.roles.includes("coordinator"));
  const only = coordinated.length === 1 ? coordinated[0] : undefined;
  if (only) return { path: `/studies/${only.id}`, label: "Continue to the dashboard" };
  if (canOpen(me, "coordinator")) return { path: "/studies", label: "Continue to the studies" };
  if (canOpen(me, "researcher")) return { path: "/submissions", label: "Continue to my submissions" };
  return { path: "/leaderboard", label: "Continue to the leaderboard" };
}

/** A path of this site, or nothing: a link must not send anyone elsewhere after signing in. */
export function safeRedirectPath(path: string | null): string | null {
  if (!path?.startsWith("/")) return null;
  const url = URL.canParse(path, window.location.origin) ? new URL(path, window.location.origin) : null;
  if (url?.origin !== window.location.origin) return null;
  return url.pathname + url.search + url.hash;
}
