export { CanvasPage } from "./CanvasPage";
export { ComparePage } from "./ComparePage";
export { EntityPage } from "./EntityPage";
export { ExplorePage } from "./ExplorePage";
export { PathsPage } from "./PathsPage";
export { SearchPage } from "./SearchPage";
export { ViewPage } from "./ViewPage";
export { ImportPage as GraphImportPage } from "./importing/ImportPage";
