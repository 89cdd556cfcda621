export { QuestionPage } from "./QuestionPage";
export { QuestionSetsPage } from "./QuestionSetsPage";
export { RnsPage } from "./RnsPage";
