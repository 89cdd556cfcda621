/** Addresses of the serendipity pages of a graph, apart from those that the page of assignments loads. */
import type { GraphRef } from "./graphQueries";
import { graphUrl, type UrlParams } from "./graphUrls";

export const rnsUrl = (where: GraphRef, sets: { existing?: string[]; serendipity?: string[] } = {}, options: UrlParams = {}) =>
  graphUrl(where, "/rns", { ...sets, ...options });

export const setsFileUrl = (where: GraphRef) => graphUrl(where, "/rns/file");
