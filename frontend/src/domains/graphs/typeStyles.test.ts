import { describe, expect, it } from "vitest";
import { shapePoints, typeStyle, typeStyles, type Shape } from "./typeStyles";

const HETIONET = [
  "Anatomy", "Biological Process", "Cellular Component", "Compound", "Disease", "Gene", "Molecular Function",
  "Pathway", "Pharmacologic Class", "Side Effect", "Symptom",
];
const MANY = Array.from({ length: 24 }, (_, at) => `Kind ${at}`);
const ALIKE = Array.from({ length: 24 }, (_, at) => `Cell ${at}`);

describe("looks", () => {
  it.each([["of Hetionet", HETIONET], ["that nobody knows", MANY], ["that are all alike", ALIKE]])(
    "tells the types %s apart, each by a shape and a colour that no other has",
    (_, types) => {
      const looks = typeStyles(types);
      const drawn = types.map((type) => `${shapePoints(looks(type).shape as Shape, 9) ?? "circle"} ${looks(type).colour}`);
      expect(new Set(drawn).size).toBe(types.length);
    },
  );

  it("gives a graph the same looks in whatever order its types are named", () => {
    const [one, other] = [typeStyles(HETIONET), typeStyles(HETIONET.toReversed())];
    expect(HETIONET.map(one)).toEqual(HETIONET.map(other));
  });

  it("keeps the look that a type is known by, whoever else is there", () => {
    expect(typeStyles([...MANY, "Gene", "Disease"])("Gene")).toEqual(typeStyle("Gene"));
  });

  it("gives a type that the newest version has no more a look that none of its types has", () => {
    const looks = typeStyles(HETIONET);
    expect(HETIONET.map(looks)).not.toContainEqual(looks("Cell"));
  });
});
