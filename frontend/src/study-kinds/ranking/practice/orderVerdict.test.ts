import { expect, it } from "vitest";
import { CANDIDATES } from "./fixtures";
import { describeOrder } from "./orderVerdict";

const [OXYCODONE, IBUPROFEN, SUZETRIGINE] = ["Oxycodone", "Ibuprofen", "Suzetrigine"];
const APART = { published: SUZETRIGINE, rns: IBUPROFEN };
const SAME = { published: SUZETRIGINE, rns: SUZETRIGINE };

it.each([
  [[[SUZETRIGINE], [IBUPROFEN], [OXYCODONE]], APART, "You put Suzetrigine first, as the literature does; the graph’s RNS puts Ibuprofen first."],
  [
    [[IBUPROFEN], [OXYCODONE], [SUZETRIGINE]],
    APART,
    "You put Ibuprofen first, as the graph’s RNS does; the literature’s surprise is Suzetrigine, your 3rd.",
  ],
  [
    [[OXYCODONE], [IBUPROFEN, SUZETRIGINE]],
    APART,
    "You put Oxycodone first; the literature puts Suzetrigine first, your 2nd, and the graph’s RNS Ibuprofen.",
  ],
  [[[OXYCODONE], [IBUPROFEN], [SUZETRIGINE]], SAME, "You put Oxycodone first; the literature and the graph’s RNS put Suzetrigine first, your 3rd."],
  [[[SUZETRIGINE], [IBUPROFEN], [OXYCODONE]], SAME, "You put Suzetrigine first, which is the first of the literature and of the graph’s RNS."],
  [
    [[IBUPROFEN, SUZETRIGINE], [OXYCODONE]],
    APART,
    "You tied Ibuprofen and Suzetrigine for first: the first of the literature and the first of the graph’s RNS.",
  ],
])("describes the order %j beside %j", (ranking, choices, sentence) => {
  expect(describeOrder(ranking, CANDIDATES, choices)).toBe(sentence);
});
