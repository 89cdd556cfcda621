/** What an expert can choose, in the order in which it is shown, with the key of each. */
export const CHOICES = [
  { value: "a_much", key: "1", label: "A is much better", lines: ["A much", "better"] },
  { value: "a", key: "2", label: "A is better", lines: ["A", "better"] },
  { value: "tie", key: "3", label: "Tie", lines: ["Tie", ""] },
  { value: "b", key: "4", label: "B is better", lines: ["B", "better"] },
  { value: "b_much", key: "5", label: "B is much better", lines: ["B much", "better"] },
  { value: "both_bad", key: "b", label: "Both bad", lines: ["Both bad", ""] },
  { value: "not_sure", key: "n", label: "Not sure", lines: ["Not sure", ""] },
] as const;

export const choiceLabel = (choice: string): string => CHOICES.find(({ value }) => value === choice)?.label ?? choice;
