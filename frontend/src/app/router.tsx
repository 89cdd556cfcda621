import { createBrowserRouter, type RouteObject } from "react-router";
import type * as explorerPages from "@/features/explorer";
import type * as workbenchPages from "@/features/workbench";
import { Guard, Waiting } from "./Guard";
import { NotFound } from "./NotFound";
import { PageError, WholePageError } from "./PageError";
import { Root, Shell } from "./Shell";

const leaderboard = async () => ({
  Component: (await import("@/features/leaderboard")).LeaderboardPage,
});

type ExplorerPage = keyof typeof explorerPages;

function explorer(page: ExplorerPage) {
  return async () => ({ Component: (await import("@/features/explorer"))[page] });
}

function workbench(page: keyof typeof workbenchPages) {
  return async () => ({ Component: (await import("@/features/workbench"))[page] });
}

const open: RouteObject[] = [
  { index: true, lazy: async () => ({ Component: (await import("@/features/front")).FrontPage }) },
  {
    path: "practice",
    lazy: async () => ({ Component: (await import("@/features/practice")).PracticePage }),
  },
  { path: "leaderboard", lazy: leaderboard },
  { path: "leaderboard/:track", lazy: leaderboard },
  { path: "explore", lazy: explorer("ExplorePage") },
  { path: "explore/view/:id", lazy: explorer("ViewPage") },
  { path: "explore/:slug", lazy: explorer("SearchPage") },
  { path: "explore/:slug/e/:curie", lazy: explorer("EntityPage") },
  { path: "explore/:slug/canvas", lazy: explorer("CanvasPage") },
  { path: "explore/:slug/paths", lazy: explorer("PathsPage") },
  { path: "explore/:slug/compare", lazy: explorer("ComparePage") },
  { path: "explore/:slug/rns", lazy: workbench("RnsPage") },
  { path: "explore/:slug/rns/file", lazy: workbench("SetsFilePage") },
  { path: "workbench", lazy: workbench("QuestionSetsPage") },
  { path: "workbench/:questionId", lazy: workbench("QuestionPage") },
  {
    path: "sign-in",
    lazy: async () => ({ Component: (await import("@/features/sign-in")).SignInPage }),
  },
  {
    path: "reset-password",
    lazy: async () => ({ Component: (await import("@/features/sign-in")).ResetPasswordPage }),
  },
  { path: "invite", lazy: async () => ({ Component: (await import("@/features/invite")).InvitePage }) },
];

const experts: RouteObject[] = [
  { path: "home", lazy: async () => ({ Component: (await import("@/features/batches")).HomePage }) },
  {
    path: "studies/:studyId/introduction",
    lazy: async () => ({ Component: (await import("@/features/introduction")).IntroductionPage }),
  },
  {
    path: "rank/:batchId/end",
    lazy: async () => ({ Component: (await import("@/features/batches")).EndPage }),
  },
];

const coordinators: RouteObject[] = [
  { path: "workbench/computations", lazy: workbench("ComputationsPage") },
  { path: "explore/import", lazy: explorer("GraphImportPage") },
  {
    path: "studies",
    lazy: async () => ({ Component: (await import("@/features/studies")).StudiesPage }),
  },
  {
    path: "studies/new",
    lazy: async () => ({ Component: (await import("@/features/studies")).ImportPage }),
  },
  {
    path: "studies/:id",
    lazy: async () => ({ Component: (await import("@/features/board")).BoardPage }),
  },
];

/** Every page, loaded when first opened. A feature exports its pages from its index. */
export const router = createBrowserRouter([
  {
    element: <Root />,
    errorElement: <WholePageError />,
    hydrateFallbackElement: <Waiting />,
    children: [
      {
        // Without a guard: a session that ends in the middle is renewed over the page.
        path: "rank/:batchId",
        lazy: async () => ({ Component: (await import("@/features/ranking")).RankingPage }),
      },
      {
        element: <Shell />,
        children: [
          {
            errorElement: <PageError />,
            children: [
              ...open,
              { element: <Guard need="expert" />, children: experts },
              { element: <Guard need="coordinator" />, children: coordinators },
              {
                element: <Guard need="administrator" />,
                children: [
                  {
                    path: "people",
                    lazy: async () => ({ Component: (await import("@/features/people")).PeoplePage }),
                  },
                ],
              },
              {
                element: <Guard need="person" />,
                children: [
                  {
                    path: "account",
                    lazy: async () => ({ Component: (await import("@/features/account")).AccountPage }),
                  },
                ],
              },
              { path: "*", element: <NotFound /> },
            ],
          },
        ],
      },
    ],
  },
]);
