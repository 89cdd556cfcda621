import { cleanup, screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { jsonResponse } from "@/test/visit";
import type { Paths, Surprise } from "./api";
import { reasonSentence } from "./surpriseWords";
import { makePaths, makeSurprise, renderExplorer, serveGraph, SNAPSHOT } from "./testing";

const ION = { id: "P:1", name: "AGTR1", type: "Protein", degree: 9 };
const MIGRAINE = { id: "X:2", name: "migraine", type: "Disease", degree: 4 };
const HYPERTENSION = { id: "X:1", name: "hypertension", type: "Disease", degree: 9 };

type Counts = Partial<Surprise["reason"]>;

function sentence(counts: Counts): string {
  const reason = { basis: "link" as const, entity: ION, drugs: 8, with_usual: 7, with_distant: 0, ...counts };
  return reasonSentence({ reason, usual: HYPERTENSION, distant: MIGRAINE });
}

describe("the reason of a surprise", () => {
  it.each<[Counts, string]>([
    [{}, "None of the 8 other drugs that act on AGTR1 treats migraine; 7 treat hypertension."],
    [{ with_distant: 1 }, "1 of the 8 other drugs that act on AGTR1 treats migraine; 7 treat hypertension."],
    [{ with_distant: 2, with_usual: 1 }, "2 of the 8 other drugs that act on AGTR1 treat migraine; 1 treats hypertension."],
    [{ entity: { ...ION, name: "sartans", type: "Drug class" } }, "None of the 8 other drugs of the class sartans treats migraine; 7 treat hypertension."],
    [{ entity: { ...ION, type: "Pathway" } }, "None of the 8 other drugs linked to AGTR1 treats migraine; 7 treat hypertension."],
    [{ basis: "usual", entity: HYPERTENSION, with_usual: 8 }, "None of the 8 other drugs for hypertension treats migraine."],
    [{ basis: "distant", entity: MIGRAINE, with_usual: 1, with_distant: 8 }, "1 of the 8 other drugs for migraine treats hypertension."],
    [{ basis: "usual", entity: HYPERTENSION, drugs: 1, with_usual: 1 }, "The only other drug for hypertension does not treat migraine."],
  ])("of the counts %o is a sentence", (counts, words) => {
    expect(sentence(counts)).toBe(words);
  });

  it("has at most twenty words, where the names are long", () => {
    const entity = { ...ION, name: "sodium channel protein type 5 subunit alpha" };
    expect(sentence({ entity })).toBe("None of the 8 other drugs that act on sodium channel protein type 5 subunit alpha treats migraine.");
  });
});

function serveSurprise(change: Partial<Surprise> = {}, paths: Partial<Paths> = {}) {
  return serveGraph((_request, url) => {
    if (url.pathname.endsWith("/surprises")) return jsonResponse({ snapshot: SNAPSHOT, uses: 9, results: [makeSurprise(change)] });
    return url.pathname.endsWith("/paths") ? jsonResponse(makePaths(url.searchParams.get("to") ?? "", paths)) : undefined;
  });
}

async function card(change: Partial<Surprise>): Promise<HTMLElement> {
  serveSurprise(change);
  renderExplorer("/explore/demo");
  return (await screen.findByRole("heading", { name: "Aspirin" })).closest("li") as HTMLElement;
}

describe("the card of a surprise", () => {
  it("states both uses with their years, and why it is one", async () => {
    expect(await card({})).toHaveTextContent(
      /^AspirinDisease 1 \(1985\), later Disease 2 \(2010\)None of the 8 other drugs for Disease 1 treats Disease 2\.treats Disease 2: FDA label, approved/,
    );
    expect(screen.getByText(/“Later” means that it was first stated in a later year/)).toBeInTheDocument();
  });

  it("states no order and no year that is unknown or made up", async () => {
    const { usual_step: usual, distant_step: distant } = makeSurprise();
    const madeUp = { unit: "year" as const, value: 1999, url: null, source: "synthetic" };
    const shown = await card({
      is_later: false,
      usual_step: { ...usual, evidence: null },
      distant_step: { ...distant, evidence: { ...distant.evidence!, first_seen: madeUp } },
    });
    expect(shown).toHaveTextContent(/^AspirinDisease 1, also Disease 2None/);
    expect(screen.getByText(/Which of the two is older is unknown\./)).toBeInTheDocument();
  });
});

describe("the reason of a surprise goes along", () => {
  const sentenceOfUses = "A surprising use of Aspirin: Disease 1 (1985), later Disease 2 (2010). None of the 8 other drugs for Disease 1 treats Disease 2.";

  it.each([["D:1", "X:2"], ["X:2", "D:1"], ["X:1", "X:2"]])("to the paths from %s to %s", async (from, to) => {
    serveSurprise();
    renderExplorer(`/explore/demo/paths?from=${from}&to=${to}`);
    expect(await screen.findByRole("region", { name: "Surprise" })).toHaveTextContent(sentenceOfUses);
  });

  it.each([["D:1", 1], ["X:1", 0]])("to the paths from %s, and from a drug that none leads from on to those of the diseases", async (from, links) => {
    serveSurprise({}, { paths: [], total: 0, hidden_through_hubs: 0 });
    renderExplorer(`/explore/demo/paths?from=${from}&to=X:2`);
    await screen.findByText("No path connects the two within this number of hops.");
    expect(await screen.findByRole("region", { name: "Surprise" })).toHaveTextContent(sentenceOfUses);
    expect(screen.queryAllByRole("link", { name: "Paths between the two diseases" })).toHaveLength(links);
  });

  it("to no other paths, and to no past year, in which it may be untrue", async () => {
    const requests = serveSurprise();
    renderExplorer("/explore/demo/paths?from=D:1&to=X:1");
    await screen.findByRole("heading", { name: "Aspirin to Disease 1" });
    await waitFor(() => expect(requests.some(({ path }) => path.includes("/surprises"))).toBe(true));
    expect(screen.queryByRole("region", { name: "Surprise" })).not.toBeInTheDocument();
    cleanup();
    renderExplorer("/explore/demo/paths?from=D:1&to=X:2&until=1990");
    await screen.findByRole("heading", { name: "Aspirin to Disease 2" });
    expect(screen.queryByRole("region", { name: "Surprise" })).not.toBeInTheDocument();
  });

  it("to the use in the list of the drug, and to no other use", async () => {
    serveSurprise();
    renderExplorer("/explore/demo/e/D:1");
    const mark = await screen.findByText("Surprising use");
    expect(mark.closest("li")).toHaveTextContent(/^Disease 2.*None of the 8 other drugs for Disease 1 treats Disease 2\.$/);
    expect(screen.getAllByText("Surprising use")).toHaveLength(1);
  });
});
