import type { components } from "@/api/generated/schema";
import { readListQuery, readQuery } from "@/lib/readQuery";

type Schemas = components["schemas"];
export type ToolSession = Schemas["ToolSession"];
export type ToolCall = Schemas["ToolCall"];
export type ToolWalk = Schemas["ToolWalk"];
export type CallStep = Schemas["CallStep"];
export type ToolCallResult = Schemas["ToolCallResult"];

const API = "/api/v1/tool-sessions";

/** The latest of the user's own. */
export const toolSessionsQuery = readListQuery<ToolSession>(["tool-sessions"], `${API}?limit=50`);

export const toolSessionKey = (id: string) => ["tool-sessions", id];

export const toolSessionPath = (id: string) => `${API}/${id}`;

export const toolSessionQuery = (id: string) => readQuery<ToolSession>(toolSessionKey(id), toolSessionPath(id));

export const toolWalkPath = (id: string) => `${API}/${id}/walk`;

export const toolWalkQuery = (id: string) => readQuery<ToolWalk>([...toolSessionKey(id), "walk"], toolWalkPath(id));

export const toolCallsKey = (id: string) => ["tool-sessions", id, "calls"];

export const toolCallsPath = (id: string) => `${API}/${id}/calls?limit=100`;

export const toolCallQuery = (id: string, number: number) =>
  readQuery<ToolCallResult>([...toolCallsKey(id), number], `${API}/${id}/calls/${number}`);
