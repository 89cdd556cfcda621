export { ComputationsPage } from "./computing/ComputationsPage";
export { QuestionPage } from "./QuestionPage";
export { QuestionSetsPage } from "./QuestionSetsPage";
export { RnsPage } from "./RnsPage";
export { SetsFilePage } from "./computing/SetsFilePage";
