export { RankingPage } from "./RankingPage";
