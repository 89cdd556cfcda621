import type { Release } from "@/domains/evaluation/queries";

/** What an organiser writes about a release, as the fields of a form hold it. */
export interface ReleaseFields {
  name: string;
  licence: string;
  citation: string;
  dataCard: string;
  terms: string;
  queries: string;
  queriesPerDay: string;
  /** In the time zone of this device, as `datetime-local` has it. */
  opensAt: string;
  closesAt: string;
}

export const FIELD_LABELS: Record<keyof ReleaseFields, string> = {
  name: "Name",
  queries: "Queries of a person",
  queriesPerDay: "Queries within a day",
  opensAt: "Opens at",
  closesAt: "Closes at",
  licence: "Licence",
  citation: "Citation",
  dataCard: "Data card",
  terms: "Terms",
};

export const NEW_FIELDS: ReleaseFields = {
  name: "", licence: "", citation: "", dataCard: "", terms: "", queries: "10", queriesPerDay: "3", opensAt: "", closesAt: "",
};

export function fieldsOf(release: Release): ReleaseFields {
  return {
    name: release.name,
    licence: release.licence,
    citation: release.citation,
    dataCard: release.data_card,
    terms: release.terms,
    queries: String(release.queries),
    queriesPerDay: String(release.queries_per_day),
    opensAt: toLocal(release.opens_at),
    closesAt: toLocal(release.closes_at),
  };
}

export function fieldsAsJson(fields: ReleaseFields) {
  return {
    name: fields.name.trim(),
    licence: fields.licence,
    citation: fields.citation,
    data_card: fields.dataCard,
    terms: fields.terms,
    queries: Number(fields.queries),
    queries_per_day: Number(fields.queriesPerDay),
    opens_at: toIso(fields.opensAt),
    closes_at: toIso(fields.closesAt),
  };
}

export type ReleaseChanges = Partial<ReturnType<typeof fieldsAsJson>>;

/** The fields that differ from the release: what others write into the rest stays theirs. */
export function changesOf(release: Release, fields: ReleaseFields): ReleaseChanges {
  const before: Record<string, unknown> = fieldsAsJson(fieldsOf(release));
  return Object.fromEntries(Object.entries(fieldsAsJson(fields)).filter(([name, value]) => before[name] !== value));
}

export function toLocal(iso: string | null): string {
  if (!iso) return "";
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export function toIso(local: string): string | null {
  return local ? new Date(local).toISOString() : null;
}

const isCount = (text: string) => /^\d{1,5}$/.test(text.trim());

export function areComplete({ name, queries, queriesPerDay }: ReleaseFields): boolean {
  return name.trim() !== "" && isCount(queries) && isCount(queriesPerDay);
}
