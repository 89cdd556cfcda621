import type { QueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import { modelsQuery, type Model } from "./queries";

interface NewModel {
  name: string;
  /** Whether it belongs to the user's team. */
  isForTeam: boolean;
  /** Called as soon as it is registered: what is sent with it may still be refused. */
  onRegistered: (slug: string) => void;
}

/** The slug of a model of the user that did not exist before. */
export async function registerModel(queries: QueryClient, { name, isForTeam, onRegistered }: NewModel): Promise<string> {
  const { slug } = await request<Model>("/api/v1/models", { method: "POST", json: { name, for_team: isForTeam } });
  await queries.invalidateQueries(modelsQuery);
  onRegistered(slug);
  return slug;
}
