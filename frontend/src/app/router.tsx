import { createBrowserRouter } from "react-router";
import { Shell } from "./Shell";

const leaderboard = async () => ({
  Component: (await import("@/features/leaderboard")).LeaderboardPage,
});

/** Every page, loaded when first opened. A feature exports its page from its index. */
export const router = createBrowserRouter([
  {
    element: <Shell />,
    children: [
      { path: "leaderboard", lazy: leaderboard },
      { path: "leaderboard/:track", lazy: leaderboard },
    ],
  },
]);
