export { FrontPage } from "./FrontPage";
