export { InvitePage } from "./InvitePage";
