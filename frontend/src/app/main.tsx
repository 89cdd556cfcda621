import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router/dom";
import { SessionRenewal } from "@/domains/accounts/session-renewal/SessionRenewal";
import { registerServiceWorker } from "@/lib/offline/registerServiceWorker";
import { createQueryClient } from "@/lib/queryClient";
import { followSystemTheme } from "@/lib/theme";
import "@/styles/base.css";
import { BackgroundSync } from "./BackgroundSync";
import { router } from "./router";

followSystemTheme();
if (import.meta.env.PROD) registerServiceWorker();

const queryClient = createQueryClient();

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no element with the id root.");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <BackgroundSync />
      <RouterProvider router={router} />
      <SessionRenewal />
    </QueryClientProvider>
  </StrictMode>,
);
