/** Which pages the bars of the frame offer: all of them where they fit, four and a menu elsewhere. */
import { BarChart3, Compass, House, ListChecks } from "lucide-react";
import type { CurrentUser } from "@/api/contract";
import { canOpen, navigationFor, type NavigationItem } from "@/domains/accounts/permissions";

interface MainPlace extends NavigationItem {
  Icon: typeof House;
}

function homePath(me: CurrentUser | null | undefined): string {
  if (!me) return "/";
  if (canOpen(me, "expert")) return "/home";
  if (canOpen(me, "coordinator")) return "/studies";
  return canOpen(me, "researcher") ? "/submissions" : "/";
}

/** The four of the bottom bar. */
export function mainPlaces(me: CurrentUser | null | undefined): MainPlace[] {
  return [
    { path: homePath(me), label: "Home", Icon: House },
    { path: "/explore", label: "Explore", Icon: Compass },
    { path: "/workbench", label: "Benchmarks", Icon: ListChecks },
    { path: "/leaderboard", label: "Leaderboard", Icon: BarChart3 },
  ];
}

const MAX_IN_BAR = 5;
const MAIN_IN_BAR = ["/explore", "/workbench", "/leaderboard"];

/** As many as a bar of middling width holds, and the rest for its menu. */
export function splitPlaces(items: NavigationItem[], isWide: boolean): { shown: NavigationItem[]; rest: NavigationItem[] } {
  if (isWide || items.length <= MAX_IN_BAR) return { shown: items, rest: [] };
  const isShown = (item: NavigationItem) => item === items[0] || MAIN_IN_BAR.includes(item.path);
  return { shown: items.filter(isShown), rest: items.filter((item) => !isShown(item)) };
}

/** What the bottom bar has no place for. */
export function otherPlaces(me: CurrentUser | null | undefined): NavigationItem[] {
  const main = new Set(mainPlaces(me).map(({ path }) => path));
  const front = me ? [{ path: "/", label: "Front page" }] : [];
  return [...navigationFor(me).filter(({ path }) => !main.has(path)), ...front.filter(({ path }) => !main.has(path))];
}
