export { Definition } from "./Definition";
