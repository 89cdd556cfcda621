import { createBrowserRouter } from "react-router";
import { Shell } from "./Shell";

const leaderboard = async () => ({
  Component: (await import("@/features/leaderboard")).LeaderboardPage,
});

const ranking = async () => ({ Component: (await import("@/features/ranking")).RankingPage });

/** Every page, loaded when first opened. A feature exports its page from its index. */
export const router = createBrowserRouter([
  {
    element: <Shell />,
    children: [
      { path: "leaderboard", lazy: leaderboard },
      { path: "leaderboard/:track", lazy: leaderboard },
    ],
  },
  // Without the shell, and without its guard: a session that ends is renewed over the page.
  { path: "rank/:batchId", lazy: ranking },
]);
