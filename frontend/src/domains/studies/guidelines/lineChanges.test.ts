import { describe, expect, it } from "vitest";
import { lineChanges } from "./lineChanges";

const short = (before: string, after: string) =>
  lineChanges(before, after).map(({ kind, text }) => `${{ same: " ", added: "+", removed: "-" }[kind]}${text}`);

describe("changes between two versions of a text", () => {
  it.each([
    ["a\nb\nc", "a\nb\nc", [" a", " b", " c"]],
    ["a\nb\nc", "a\nx\nc", [" a", "-b", "+x", " c"]],
    ["a\nc", "a\nb\nc\nd", [" a", "+b", " c", "+d"]],
    ["a\nb\nc", "c", ["-a", "-b", " c"]],
    ["a", "b", ["-a", "+b"]],
  ])("%j to %j", (before, after, expected) => expect(short(before, after)).toEqual(expected));
});
