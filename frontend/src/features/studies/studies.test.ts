import { expect, test } from "vitest";
import { Problem, NetworkError, type FieldError } from "@/api/client";
import { errorsTitle, importError } from "@/domains/studies/importError";
import { importSummary } from "./StudyImportResult";
import { uploadLimitMessage } from "./uploadLimits";

function problem(code: string, errors: FieldError[] = [], more: Record<string, unknown> = {}) {
  return new Problem({ status: 422, code, detail: "It was refused.", errors, ...more });
}

function fault(place: string): FieldError {
  return { place, message: `${place} is wrong.`, code: "wrong", expected: "something else" };
}

test("faults of the files are listed; a fault of the name stands at its field", () => {
  const refusal = importError(problem("invalid", [fault("name"), fault("batch1.json, question 1")]));
  expect(refusal.name).toBe("name is wrong.");
  expect(refusal.errors.map(({ place }) => place)).toEqual(["batch1.json, question 1"]);
});

test("a name that is taken is a fault of the name", () => {
  expect(importError(problem("name_taken"))).toMatchObject({ name: "It was refused.", errors: [] });
});

test("where only the first faults are listed, the title says of how many", () => {
  const faults = [fault("a"), fault("b")];
  expect(errorsTitle(importError(problem("questionnaire_invalid", faults, { faults_total: 1810 })))).toBe(
    "The first 2 of 1,810 errors",
  );
  expect(errorsTitle(importError(problem("questionnaire_invalid", faults, { faults_total: 2 })))).toBe("2 errors");
  expect(errorsTitle(importError(problem("questionnaire_invalid", [fault("a")])))).toBe("1 error");
});

test("without an answer nobody claims that nothing was imported", () => {
  const { message } = importError(new NetworkError("no answer"));
  expect(message).toMatch(/did not answer.*Importing the same files again changes nothing\./);
});

test("what the server would cut off is refused before it is sent, with what to do", () => {
  const file = (name: string, size: number) => ({ name, size });
  expect(uploadLimitMessage([file("batch1.json", 20_000_000)])).toBeNull();
  expect(uploadLimitMessage([file("batch1.json", 20_400_000)])).toBe(
    "batch1.json has 20.4 MB; a file may have at most 20 MB. Split it.",
  );
  expect(uploadLimitMessage([1, 2, 3].map((n) => file(`batch${n}.json`, 17_000_000)))).toMatch(/^These files have 51 MB together/);
  const many = Array.from({ length: 101 }, (_, n) => file(`batch${n}.json`, 1));
  expect(uploadLimitMessage(many)).toMatch(/^These are 101 files; at most 100/);
});

test("the result says what the files hold and how much of it is new", () => {
  const result = { study: { id: "1", name: "Mine" }, batches: 2, questions: 6, candidates: 27, added: 6, notices: [] };
  expect(importSummary(result)).toMatch(/^The files contain 2 batches with 6 questions and 27 candidates\. All of the questions are new\./);
  expect(importSummary({ ...result, added: 1 })).toMatch(/1 of the questions is new\./);
  expect(importSummary({ ...result, batches: 1, questions: 1, added: 1 })).toMatch(/^The files contain 1 batch with 1 question and 27 candidates\. The question is new\./);
  expect(importSummary({ ...result, added: 2 })).toMatch(/2 of the questions are new\./);
  expect(importSummary({ ...result, added: 0 })).toMatch(/nothing changed\.$/);
});
