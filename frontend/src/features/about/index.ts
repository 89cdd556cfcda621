export { AboutPage } from "./AboutPage";
export { PrivacyPage } from "./PrivacyPage";
