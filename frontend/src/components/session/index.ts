export { SessionRenewal } from "./SessionRenewal";
