import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router/dom";
import { SessionRenewal } from "@/components/session";
import { BackgroundSync } from "@/lib/offline";
import { registerServiceWorker } from "@/lib/offline/register";
import { newQueryClient } from "@/lib/queryClient";
import { followSystemTheme } from "@/lib/theme";
import "@/styles/base.css";
import { router } from "./router";

followSystemTheme();
if (import.meta.env.PROD) registerServiceWorker();

const queries = newQueryClient();

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
