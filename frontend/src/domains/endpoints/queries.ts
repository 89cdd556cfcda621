/** Endpoints of language models: those that the user may use, with their settings for administrators. */
import type { components } from "@/api/generated/schema";
import { readListQuery, readQuery } from "@/lib/readQuery";

type Schemas = components["schemas"];
export type Endpoint = Schemas["Endpoint"];
export type EndpointSettings = Schemas["EndpointSettings"];
export type Capabilities = Schemas["Capabilities"];
export type UsableBy = EndpointSettings["usable_by"];

export const ENDPOINTS_URL = "/api/v1/endpoints";
export const ENDPOINTS_KEY = ["endpoints"];

export const endpointsQuery = readListQuery<Endpoint>(ENDPOINTS_KEY, ENDPOINTS_URL);

/** With those that are retired, for administrators. */
export const allEndpointsQuery = readListQuery<Endpoint>([...ENDPOINTS_KEY, "all"], `${ENDPOINTS_URL}?retired=true`);

export const endpointUrl = (id: string) => `${ENDPOINTS_URL}/${encodeURIComponent(id)}`;

export const endpointQuery = (id: string) => readQuery<Endpoint>([...ENDPOINTS_KEY, "one", id], endpointUrl(id));
