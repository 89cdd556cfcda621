export { ResetPasswordPage } from "./ResetPasswordPage";
export { SignInPage } from "./SignInPage";
