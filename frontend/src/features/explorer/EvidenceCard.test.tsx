import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { evidenceLabel, hasEvidence } from "@/domains/graphs/evidenceLabels";
import { EvidenceCard } from "./EvidenceCard";
import { LABEL } from "./testing";

const NOTHING = { ...LABEL, source: "", level: "", publications: [] };
const URL = "https://pubmed.ncbi.nlm.nih.gov/7/";

describe("when an edge was first seen", () => {
  it("is a link to the article", () => {
    render(<EvidenceCard evidence={{ ...LABEL, first_seen: { unit: "pmid", value: 7, url: URL, source: "" } }} />);
    expect(screen.getByRole("link", { name: /in PubMed 7/ })).toHaveAttribute("href", URL);
  });

  it("is a year without a link, with what states it", () => {
    render(<EvidenceCard evidence={{ ...NOTHING, first_seen: { unit: "year", value: 1999, url: null, source: "synthetic" } }} />);
    expect(screen.getByText("in 1999 (synthetic)")).toBeVisible();
    expect(screen.queryByRole("link")).toBeNull();
  });

  it("is left out where the edge has no date", () => {
    render(<EvidenceCard evidence={LABEL} />);
    expect(screen.queryByText("First seen")).toBeNull();
  });

  it("is evidence of its own", () => {
    const dated = { ...NOTHING, first_seen: { unit: "year" as const, value: 1999, url: null, source: "synthetic" } };
    expect(hasEvidence(dated)).toBe(true);
    expect(evidenceLabel(dated)).toBe("first seen in 1999 (synthetic)");
    expect(hasEvidence(NOTHING)).toBe(false);
  });
});

it("names a trial by its number", () => {
  const publications = [{ curie: "CLINICALTRIALS:NCT01234567", url: "https://clinicaltrials.gov/study/NCT01234567" }];
  render(<EvidenceCard evidence={{ ...LABEL, publications }} />);
  expect(screen.getByRole("link", { name: /^NCT01234567/ })).toHaveAttribute("href", publications[0]?.url);
});
