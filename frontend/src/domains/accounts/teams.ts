import type { components } from "@/api/generated/schema";
import { readQuery } from "@/lib/readQuery";

export type OwnTeam = components["schemas"]["OwnTeam"];
export type Team = components["schemas"]["Team"];

/** The team of the current user, and invitations to them. */
export const ownTeamQuery = readQuery<OwnTeam>(["team"], "/api/v1/team");
