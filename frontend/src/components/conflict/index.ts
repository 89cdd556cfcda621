export { ConflictDialog } from "./ConflictDialog";
export { HeldWork } from "./HeldWork";
