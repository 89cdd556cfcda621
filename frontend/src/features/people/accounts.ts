/** Accounts as an administrator changes them: what is sent, and what it brings about. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/api/client";
import type { components } from "@/api/generated/schema";
import { invitationsKey } from "@/components/invitations/invitations";
import { hasCode, sentenceOf } from "@/lib/problems";

export type Account = components["schemas"]["Account"];
export type SiteRole = "researcher" | "administrator";

export const SITE_ROLES: SiteRole[] = ["researcher", "administrator"];
export const PEOPLE = "/api/v1/people";
export const SITE_INVITATIONS = `${PEOPLE}/invitations`;
export const PEOPLE_KEY = ["people"];

export interface Draft {
  roles: SiteRole[];
  isOpen: boolean;
}

export const nameOf = ({ name, email }: Account) => name || email;
export const rolesOf = ({ roles }: Account) => SITE_ROLES.filter((role) => roles[role]);
export const draftOf = (account: Account): Draft => ({ roles: rolesOf(account), isOpen: account.is_active });

function difference(account: Account, { roles, isOpen }: Draft) {
  const given = roles.filter((role) => !account.roles[role]);
  const taken = rolesOf(account).filter((role) => !roles.includes(role));
  return { given, taken, closes: account.is_active && !isOpen, opens: !account.is_active && isOpen };
}

/** Only what is to change, so that what somebody else changed meanwhile stays. */
export function changeOf(account: Account, draft: Draft) {
  const { given, taken, closes, opens } = difference(account, draft);
  const roles = Object.fromEntries([...given.map((role) => [role, true]), ...taken.map((role) => [role, false])]);
  return { ...((closes || opens) && { is_active: opens }), ...(given.length + taken.length > 0 && { roles }) };
}

const GIVES: Record<SiteRole, string> = {
  researcher: "may submit models' predictions and see their scores",
  administrator: "may see and change all people, studies and graphs, and invite",
};
const TAKES: Record<SiteRole, string> = {
  researcher: "can no longer submit predictions; what was submitted stays",
  administrator: "can no longer see or change other people's studies and graphs",
};

/** What a draft brings about, said before it is done. */
export function consequences(account: Account, draft: Draft): string[] {
  const { given, taken, closes, opens } = difference(account, draft);
  const who = nameOf(account);
  return [
    ...given.map((role) => `${who} ${GIVES[role]}.`),
    ...taken.map((role) => `${who} ${TAKES[role]}.`),
    ...(closes ? [
      `${who} is signed out everywhere at once and cannot sign in. Answers and everything else that was made stay.`,
      "Open invitations to this address, and those that this person sent, no longer open.",
    ] : []),
    ...(!closes && taken.length > 0 ? ["Open invitations to the site, to this address or sent by this person, no longer open."] : []),
    ...(opens ? [`${who} can sign in again. Invitations that were withdrawn stay so.`] : []),
  ];
}

/** What the button will do. */
export function actionOf(account: Account, draft: Draft): string {
  const { given, taken, closes, opens } = difference(account, draft);
  if (given.length + taken.length === 0) return closes ? "Close the account" : opens ? "Open the account again" : "Change the account";
  return closes || opens ? "Change roles and account" : "Change the roles";
}

export function useChange() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ account, draft }: { account: Account; draft: Draft }) =>
      call<Account>(`${PEOPLE}/${account.id}`, { method: "PATCH", json: changeOf(account, draft) }),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: PEOPLE_KEY }),
        queries.invalidateQueries({ queryKey: invitationsKey(SITE_INVITATIONS) }),
      ]),
  });
}

/** The server's own words are for the owner of the address. */
export function faultOf(error: unknown, { email }: Account): string {
  if (!hasCode(error, "address_unproven")) return sentenceOf(error);
  return `Nothing was changed: ${email} is not confirmed yet. Who owns it signs in once with a code from the mail; then the role can be given.`;
}
