export { PracticePage } from "./PracticePage";
