import { describe, expect, it } from "vitest";
import { areComplete, fieldsAsJson, NEW_FIELDS, toIso, toLocal } from "./releaseFields";

describe("the fields of a release", () => {
  it("carry a date through the time zone of the device and back", () => {
    const iso = "2030-05-03T10:30:00.000Z";
    expect(toIso(toLocal(iso))).toBe(iso);
    expect(toIso("")).toBeNull();
    expect(toLocal(null)).toBe("");
  });

  it("are sent with the API's names, dates as null where there are none", () => {
    expect(fieldsAsJson({ ...NEW_FIELDS, name: " Pairs ", dataCard: "Made up", queries: "5" })).toEqual({
      name: "Pairs", licence: "", citation: "", data_card: "Made up", terms: "", queries: 5, queries_per_day: 3, opens_at: null, closes_at: null,
    });
  });

  it.each([["", "10", false], ["Pairs", "", false], ["Pairs", "many", false], ["Pairs", "-1", false], ["Pairs", "0", true]])(
    "named '%s' with '%s' queries are complete: %s",
    (name, queries, complete) => {
      expect(areComplete({ ...NEW_FIELDS, name, queries })).toBe(complete);
    },
  );
});
