import type { components } from "@/api/generated/schema";
import { releaseUrl } from "@/domains/evaluation/queries";
import { readListQuery, readQuery } from "@/lib/readQuery";

type Schemas = components["schemas"];
export type SplitContents = Schemas["SplitContents"];
export type ItemPage = Schemas["ItemPage"];
export type ReceivedSubmission = Schemas["ReceivedSubmission"];
export type SealedContents = Schemas["SealedContents"];
export type LaterVersion = Schemas["LaterVersion"];
export type SubmitterQueries = Schemas["SubmitterQueries"];
type SubmitterList = Schemas["SubmitterList"];
export type SubmissionAlert = Schemas["SubmissionAlert"];
export type ReleaseGraph = Schemas["ReleaseGraphSummary"];
export type ReleaseGraphList = Schemas["ReleaseGraphList"];
export type QueryTable = Schemas["CypherTable"];
export type Split = ItemPage["split"];

export const releaseGraphsQuery = (slug: string) =>
  readQuery<ReleaseGraphList>(["releases", slug, "graphs"], `${releaseUrl(slug)}/graphs`);

export const sealedQuery = (slug: string) => readQuery<SealedContents>(["releases", slug, "sealed"], `${releaseUrl(slug)}/sealed`);

export const contentsQuery = (slug: string) =>
  readListQuery<SplitContents>(["releases", slug, "contents"], `${releaseUrl(slug)}/contents`);

export const itemPageQuery = (slug: string, split: Split, offset: number) =>
  readQuery<ItemPage>(["releases", slug, "items", split, offset], `${releaseUrl(slug)}/item-page?split=${split}&offset=${offset}`);

export const submittersQuery = (slug: string) =>
  readQuery<SubmitterList>(["releases", slug, "submitters"], `${releaseUrl(slug)}/submitters`);

export type Discoveries = Schemas["Discoveries"];
export type Discovery = Schemas["Discovery"];

export const discoveriesQuery = (slug: string, year: string | null) =>
  readQuery<Discoveries>(["boards", slug, "discoveries", year], `/api/v1/boards/${slug}/discoveries${year ? `?year=${year}` : ""}`);

export const componentLinksQuery = (slug: string, component: string) =>
  readQuery<Discoveries>(["boards", slug, "discoveries", "component", component], `/api/v1/boards/${slug}/discoveries?component=${encodeURIComponent(component)}`);

export type ImportanceComponents = Schemas["ImportanceComponents"];
export type ImportanceComponent = Schemas["ImportanceComponent"];

export const importanceQuery = (slug: string) =>
  readQuery<ImportanceComponents>(["boards", slug, "importance"], `/api/v1/boards/${slug}/importance`);

export type RocCurve = Schemas["RocCurve"];
export type RocCurves = Schemas["RocCurves"];

export const rocCurvesQuery = (slug: string) =>
  readQuery<RocCurves>(["boards", slug, "roc-curves"], `/api/v1/boards/${slug}/roc-curves`);
