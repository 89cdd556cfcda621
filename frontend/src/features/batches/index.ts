export { EndPage } from "./EndPage";
export { HomePage } from "./HomePage";
