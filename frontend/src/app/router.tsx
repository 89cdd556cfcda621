import type { ComponentType } from "react";
import { createBrowserRouter, type RouteObject } from "react-router";
import { RequireRole, PageLoading } from "./Guard";
import { NotFound } from "./NotFound";
import { PageError, RootError } from "./PageError";
import { RootLayout, PageLayout } from "./Shell";

const about = () => import("@/features/about");
const leaderboard = () => import("@/features/leaderboard/LeaderboardPage");

/** A page, loaded when first opened. */
function page<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) {
  return async () => ({ Component: (await load())[name] });
}

const publicRoutes: RouteObject[] = [
  { index: true, lazy: page(() => import("@/features/landing/LandingPage"), "LandingPage") },
  { path: "practice", lazy: page(() => import("@/features/practice/PracticePage"), "PracticePage") },
  { path: "about", lazy: page(about, "AboutPage") },
  { path: "privacy", lazy: page(about, "PrivacyPage") },
  { path: "leaderboard", lazy: page(leaderboard, "LeaderboardPage") },
  { path: "leaderboard/:track", lazy: page(leaderboard, "LeaderboardPage") },
  { path: "models", lazy: page(() => import("@/features/leaderboard/models/ModelsPage"), "ModelsPage") },
  { path: "models/:slug", lazy: page(() => import("@/features/leaderboard/models/ModelPage"), "ModelPage") },
  { path: "results/:id", lazy: page(() => import("@/features/leaderboard/result/ResultPage"), "ResultPage") },
  { path: "releases", lazy: page(() => import("@/features/releases/ReleasesPage"), "ReleasesPage") },
  { path: "releases/:slug", lazy: page(() => import("@/features/releases/ReleasePage"), "ReleasePage") },
  { path: "releases/:slug/query", lazy: page(() => import("@/features/releases/query/QueryPage"), "QueryPage") },
  { path: "releases/:slug/discoveries", lazy: page(() => import("@/features/releases/DiscoveriesPage"), "DiscoveriesPage") },
  { path: "releases/:slug/importance", lazy: page(() => import("@/features/releases/importance/ImportancePage"), "ImportancePage") },
  { path: "releases/:slug/importance/:component", lazy: page(() => import("@/features/releases/importance/ComponentPage"), "ComponentPage") },
  { path: "releases/:slug/changes", lazy: page(() => import("@/features/errata/ChangesPage"), "ChangesPage") },
  { path: "prompts/:name", lazy: page(() => import("@/features/releases/PromptPage"), "PromptPage") },
  { path: "judges", lazy: page(() => import("@/features/grounding/judges/JudgesPage"), "JudgesPage") },
  { path: "groundings/:id", lazy: page(() => import("@/features/grounding/GroundingPage"), "GroundingPage") },
  { path: "runs/:id", lazy: page(() => import("@/features/runs/RunPage"), "RunPage") },
  { path: "runs/:id/explorations/:split/:position", lazy: page(() => import("@/features/runs/ExplorationPage"), "ExplorationPage") },
  { path: "tool-sessions/:id", lazy: page(() => import("@/features/submissions/ToolSessionPage"), "ToolSessionPage") },
  { path: "costs", lazy: page(() => import("@/features/costs/CostsPage"), "CostsPage") },
  { path: "tracks/:slug", lazy: page(() => import("@/features/releases/TrackPage"), "TrackPage") },
  { path: "explore", lazy: page(() => import("@/features/explorer/ExplorePage"), "ExplorePage") },
  { path: "networks", lazy: page(() => import("@/features/explorer/networks/NetworksPage"), "NetworksPage") },
  { path: "explore/view/:id", lazy: page(() => import("@/features/explorer/ViewPage"), "ViewPage") },
  { path: "explore/:slug", lazy: page(() => import("@/features/explorer/SearchPage"), "SearchPage") },
  { path: "explore/:slug/e/:curie", lazy: page(() => import("@/features/explorer/EntityPage"), "EntityPage") },
  { path: "explore/:slug/canvas", lazy: page(() => import("@/features/explorer/NeighbourhoodPage"), "NeighbourhoodPage") },
  { path: "explore/:slug/paths", lazy: page(() => import("@/features/explorer/PathsPage"), "PathsPage") },
  { path: "explore/:slug/paths/test", lazy: page(() => import("@/features/explorer/PathTestPage"), "PathTestPage") },
  { path: "explore/:slug/compare", lazy: page(() => import("@/features/explorer/ComparePage"), "ComparePage") },
  { path: "explore/:slug/schema", lazy: page(() => import("@/features/explorer/schema/SchemaPage"), "SchemaPage") },
  { path: "explore/:slug/rns", lazy: page(() => import("@/features/workbench/RnsPage"), "RnsPage") },
  { path: "explore/:slug/rns/file", lazy: page(() => import("@/features/workbench/jobs/SetsFilePage"), "SetsFilePage") },
  { path: "workbench", lazy: page(() => import("@/features/workbench/QuestionSetsPage"), "QuestionSetsPage") },
  { path: "workbench/:questionId", lazy: page(() => import("@/features/workbench/QuestionPage"), "QuestionPage") },
  { path: "sign-in", lazy: page(() => import("@/features/sign-in/SignInPage"), "SignInPage") },
  { path: "reset-password", lazy: page(() => import("@/features/sign-in/ResetPasswordPage"), "ResetPasswordPage") },
  { path: "continue", lazy: page(() => import("@/features/sign-in/ContinuePage"), "ContinuePage") },
  { path: "invite", lazy: page(() => import("@/features/invite/InvitePage"), "InvitePage") },
];

const expertRoutes: RouteObject[] = [
  { path: "home", lazy: page(() => import("@/features/batches/HomePage"), "HomePage") },
  { path: "next", lazy: page(() => import("@/features/batches/NextPage"), "NextPage") },
  { path: "studies/:studyId/contribution", lazy: page(() => import("@/features/batches/ContributionPage"), "ContributionPage") },
  {
    path: "studies/:studyId/introduction",
    lazy: page(() => import("@/features/introduction/IntroductionPage"), "IntroductionPage"),
  },
  { path: "rank/:batchId/end", lazy: page(() => import("@/features/batches/BatchSummaryPage"), "BatchSummaryPage") },
];

const researcherRoutes: RouteObject[] = [
  { path: "submissions", lazy: page(() => import("@/features/submissions/SubmissionsPage"), "SubmissionsPage") },
  { path: "team", lazy: page(() => import("@/features/team/TeamPage"), "TeamPage") },
  { path: "runs", lazy: page(() => import("@/features/runs/RunsPage"), "RunsPage") },
  { path: "endpoints", lazy: page(() => import("@/features/endpoints/EndpointsPage"), "EndpointsPage") },
  { path: "endpoints/:id", lazy: page(() => import("@/features/endpoints/EndpointPage"), "EndpointPage") },
  { path: "releases/:slug/run", lazy: page(() => import("@/features/runs/NewRunPage"), "NewRunPage") },
  { path: "submissions/new", lazy: page(() => import("@/features/submissions/NewSubmissionPage"), "NewSubmissionPage") },
];

const coordinatorRoutes: RouteObject[] = [
  { path: "releases/:slug/correct", lazy: page(() => import("@/features/errata/CorrectionPage"), "CorrectionPage") },
  { path: "workbench/computations", lazy: page(() => import("@/features/workbench/jobs/ComputationsPage"), "ComputationsPage") },
  { path: "candidate-ensembles", lazy: page(() => import("@/features/ensembles/EnsemblesPage"), "EnsemblesPage") },
  { path: "query-syntheses", lazy: page(() => import("@/features/synthesis/SynthesesPage"), "SynthesesPage") },
  { path: "query-syntheses/:id", lazy: page(() => import("@/features/synthesis/SynthesisPage"), "SynthesisPage") },
  { path: "releases/seal", lazy: page(() => import("@/features/releases/NewSealedReleasePage"), "NewSealedReleasePage") },
  { path: "releases/new", lazy: page(() => import("@/features/releases/NewReleasePage"), "NewReleasePage") },
  { path: "explore/import", lazy: page(() => import("@/features/explorer/graph-import/GraphImportPage"), "GraphImportPage") },
  { path: "studies", lazy: page(() => import("@/features/studies/StudiesPage"), "StudiesPage") },
  { path: "studies/new", lazy: page(() => import("@/features/studies/StudyImportPage"), "StudyImportPage") },
  { path: "studies/plan", lazy: page(() => import("@/features/studies/plan/StudyPlanPage"), "StudyPlanPage") },
  { path: "studies/:id", lazy: page(() => import("@/features/dashboard/DashboardPage"), "DashboardPage") },
];

const administratorRoutes: RouteObject[] = [
  { path: "people", lazy: page(() => import("@/features/people/PeoplePage"), "PeoplePage") },
  { path: "endpoints/new", lazy: page(() => import("@/features/endpoints/NewEndpointPage"), "NewEndpointPage") },
  { path: "endpoints/:id/change", lazy: page(() => import("@/features/endpoints/ChangeEndpointPage"), "ChangeEndpointPage") },
];

export const router = createBrowserRouter([
  {
    element: <RootLayout />,
    errorElement: <RootError />,
    hydrateFallbackElement: <PageLoading />,
    children: [
      {
        // Without a guard: a session that ends in the middle is renewed over the page.
        path: "rank/:batchId",
        lazy: page(() => import("@/features/assignments/AssignmentsPage"), "AssignmentsPage"),
      },
      {
        path: "studies/:id/try",
        lazy: page(() => import("@/features/assignments/trial/TrialPage"), "TrialPage"),
      },
      {
        path: "studies/:id/adjudicate/:question",
        lazy: page(() => import("@/features/assignments/AssignmentsPage"), "AdjudicationPage"),
      },
      {
        // Without a bar: it stands in the pages of others.
        path: "embed/board/:slug",
        lazy: page(() => import("@/features/leaderboard/embed/EmbeddedBoardPage"), "EmbeddedBoardPage"),
      },
      {
        element: <PageLayout />,
        children: [
          {
            errorElement: <PageError />,
            children: [
              ...publicRoutes,
              { element: <RequireRole requires="expert" />, children: expertRoutes },
              { element: <RequireRole requires="researcher" />, children: researcherRoutes },
              { element: <RequireRole requires="coordinator" />, children: coordinatorRoutes },
              {
                element: <RequireRole requires="administrator" />,
                children: administratorRoutes,
              },
              {
                element: <RequireRole requires="person" />,
                children: [
                  // Of its submitter and of the release's organisers, who may have no role of the site.
                  { path: "submissions/:id", lazy: page(() => import("@/features/submissions/SubmissionPage"), "SubmissionPage") },
                  { path: "grounding-batches/:id", lazy: page(() => import("@/features/grounding/batch/BatchPage"), "BatchPage") },
                  { path: "groundings", lazy: page(() => import("@/features/grounding/GroundingsPage"), "GroundingsPage") },
                  { path: "account", lazy: page(() => import("@/features/account/AccountPage"), "AccountPage") },
                  { path: "releases/:slug/reports", lazy: page(() => import("@/features/errata/ReportsPage"), "ReportsPage") },
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
