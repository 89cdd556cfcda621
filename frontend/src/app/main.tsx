import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router/dom";
import { Problem } from "@/api/client";
import { SessionRenewal } from "@/components/session";
import { BackgroundSync } from "@/lib/offline";
import { registerServiceWorker } from "@/lib/offline/register";
import { followSystemTheme } from "@/lib/theme";
import "@/styles/base.css";
import { router } from "./router";

followSystemTheme();
if (import.meta.env.PROD) registerServiceWorker();

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // An answer of no is final; only silence is asked again.
      retry: (count, error) => !(error instanceof Problem && error.status < 500) && count < 3,
    },
  },
});

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no element with the id root.");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <BackgroundSync />
      <RouterProvider router={router} />
      <SessionRenewal />
    </QueryClientProvider>
  </StrictMode>,
);
