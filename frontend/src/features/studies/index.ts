export { ImportPage } from "./ImportPage";
export { StudiesPage } from "./StudiesPage";
