export { forgetAccount, lastAccount } from "./account";
export { BackgroundSync, pendingCount, usePendingCount } from "./sync";
