import { expect, it } from "vitest";
import { linkLabel } from "./linkLabel";

it.each([
  ["https://go.drugbank.com/drugs/DB01014", "DrugBank DB01014"],
  ["https://www.uniprot.org/uniprotkb/Q8WTW4/entry", "UniProt Q8WTW4"],
  ["https://www.genecards.org/cgi-bin/carddisp.pl?gene=ARSI", "GeneCards ARSI"],
  ["https://reactome.org/content/detail/R-HSA-1592389", "Reactome R-HSA-1592389"],
  ["https://hmdb.ca/metabolites/HMDB0011649", "HMDB HMDB0011649"],
  ["https://monarchinitiative.org/MONDO:0005148", "Monarch MONDO:0005148"],
  ["https://www.example.org/anything", "example.org"],
  ["https://go.drugbank.com/unearth/q?query=%E0%A4%A", "DrugBank"],
  ["no address", "no address"],
])("%s reads '%s'", (link, label) => {
  expect(linkLabel(link)).toBe(label);
});
