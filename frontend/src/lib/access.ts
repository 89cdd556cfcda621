import type { Me, StudyRole } from "@/api/contract";

export type Need = "person" | "expert" | "coordinator" | "administrator";

function holds(me: Me, role: StudyRole): boolean {
  return me.studies.some((study) => study.roles.includes(role));
}

/** Mirrors the server's rules, so that nothing is offered which it would refuse. */
export function mayOpen(me: Me, need: Need): boolean {
  if (need === "person") return true;
  if (need === "expert") return holds(me, "expert");
  if (need === "administrator") return me.roles.administrator;
  return me.roles.administrator || holds(me, "coordinator");
}

export interface Place {
  to: string;
  label: string;
}

/** The navigation: only what exists, and only what this person may open. */
export function placesFor(me: Me | null | undefined): Place[] {
  const places: [Need, Place][] = [
    ["expert", { to: "/home", label: "My batches" }],
    ["coordinator", { to: "/studies", label: "Studies" }],
    ["administrator", { to: "/people", label: "People" }],
  ];
  const mine = me ? places.filter(([need]) => mayOpen(me, need)).map(([, place]) => place) : [];
  return [
    ...mine,
    { to: "/explore", label: "Explore" },
    { to: "/workbench", label: "Benchmarks" },
    { to: "/leaderboard", label: "Leaderboard" },
  ];
}

/** Where a person's work is. */
export function landingFor(me: Me): Place {
  if (mayOpen(me, "expert")) return { to: "/home", label: "Continue to my batches" };
  const coordinated = me.studies.filter((study) => study.roles.includes("coordinator"));
  const only = coordinated.length === 1 ? coordinated[0] : undefined;
  if (only) return { to: `/studies/${only.id}`, label: "Continue to the board" };
  if (mayOpen(me, "coordinator")) return { to: "/studies", label: "Continue to the studies" };
  return { to: "/leaderboard", label: "Continue to the leaderboard" };
}

/** A path of this site, or nothing: a link must not send anyone elsewhere after signing in. */
export function safePath(wanted: string | null): string | null {
  if (!wanted?.startsWith("/")) return null;
  const url = URL.canParse(wanted, window.location.origin) ? new URL(wanted, window.location.origin) : null;
  if (url?.origin !== window.location.origin) return null;
  return url.pathname + url.search + url.hash;
}
