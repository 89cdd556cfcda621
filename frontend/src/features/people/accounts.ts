/** Changes that an administrator makes to an account, and their consequences in words. */
import { useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { components } from "@/api/generated/schema";
import { invitationsKey } from "@/domains/accounts/invitations/invitations";
import { hasErrorCode, errorMessage } from "@/lib/errorMessages";
import { useMutation } from "@/lib/useMutation";

export type Account = components["schemas"]["Account"];
export type PersonAccount = components["schemas"]["PersonAccount"];
type SiteRole = "researcher" | "coordinator" | "administrator";

export const SITE_ROLES: SiteRole[] = ["researcher", "coordinator", "administrator"];
/** Only what the server lets each role do today. */
export const SITE_ROLE_OPTIONS = {
  researcher: { label: "Researcher", hint: "Submits predictions, and computes the serendipity of sets in files." },
  coordinator: { label: "Coordinator", hint: "Imports questionnaires, and coordinates the studies made of them." },
  administrator: { label: "Administrator", hint: "Manages accounts and all graphs, and imports studies." },
};
const PEOPLE_URL = "/api/v1/people";
export const SITE_INVITATIONS_URL = `${PEOPLE_URL}/invitations`;
export const PEOPLE_KEY = ["people"];

/** Roles that the list can be limited to. */
export const ROLE_FILTERS = [
  { value: "", label: "All people" },
  { value: "administrator", label: "Administrators" },
  { value: "coordinator", label: "Coordinators" },
  { value: "expert", label: "Experts" },
  { value: "researcher", label: "Researchers" },
  { value: "none", label: "Without a role" },
  { value: "closed", label: "Closed accounts" },
] as const;

export function peopleUrl(search: string, role: string): string {
  const query = new URLSearchParams({ ...(search && { search }), ...(role && { role }) }).toString();
  return query ? `${PEOPLE_URL}?${query}` : PEOPLE_URL;
}

interface AccountDraft {
  roles: SiteRole[];
  isOpen: boolean;
}

export const accountName = ({ name, email }: Account) => name || email;
export const accountRoles = ({ roles }: Account) => SITE_ROLES.filter((role) => roles[role]);
export const toDraft = (account: Account): AccountDraft => ({ roles: accountRoles(account), isOpen: account.is_active });

function roleChanges(account: Account, { roles, isOpen }: AccountDraft) {
  const given = roles.filter((role) => !account.roles[role]);
  const taken = accountRoles(account).filter((role) => !roles.includes(role));
  return { given, taken, closes: account.is_active && !isOpen, opens: !account.is_active && isOpen };
}

/** Only the differences, so that a change by somebody else in the meantime stays. */
export function accountPatch(account: Account, draft: AccountDraft) {
  const { given, taken, closes, opens } = roleChanges(account, draft);
  const roles = Object.fromEntries([...given.map((role) => [role, true]), ...taken.map((role) => [role, false])]);
  return { ...((closes || opens) && { is_active: opens }), ...(given.length + taken.length > 0 && { roles }) };
}

const GRANT_TEXT: Record<SiteRole, string> = {
  researcher: "can submit predictions, upload files of sets and compute their serendipity",
  coordinator: "can import questionnaires and graphs, and coordinates those studies",
  administrator: "can manage all accounts and graphs, invite people and import studies",
};
const REVOKE_TEXT: Record<SiteRole, string> = {
  researcher: "can no longer submit predictions or upload files of sets",
  coordinator: "can no longer import questionnaires, unless they coordinate a study already",
  administrator: "can no longer manage accounts, or other people's graphs",
};

/** The consequences of a draft, listed before it is saved. */
export function changeTexts(account: Account, draft: AccountDraft): string[] {
  const { given, taken, closes, opens } = roleChanges(account, draft);
  const who = accountName(account);
  return [
    ...given.map((role) => `${who} ${GRANT_TEXT[role]}.`),
    ...taken.map((role) => `${who} ${REVOKE_TEXT[role]}.`),
    ...(closes ? [
      `${who} is signed out everywhere at once and cannot sign in. Their answers and other data stay.`,
      "Open invitations to this address, and those that this person sent, are revoked.",
    ] : []),
    ...(!closes && taken.length > 0 ? ["Open invitations to the site, to this address or sent by this person, are revoked."] : []),
    ...(opens ? [`${who} can sign in again. Revoked invitations stay revoked.`] : []),
  ];
}

export function confirmLabel(account: Account, draft: AccountDraft): string {
  const { given, taken, closes, opens } = roleChanges(account, draft);
  if (given.length + taken.length === 0) return closes ? "Close the account" : opens ? "Open the account again" : "Change the account";
  return closes || opens ? "Change roles and account" : "Change the roles";
}

export function useUpdateAccount() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ account, draft }: { account: Account; draft: AccountDraft }) =>
      request<Account>(`${PEOPLE_URL}/${account.id}`, { method: "PATCH", json: accountPatch(account, draft) }),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: PEOPLE_KEY }),
        queries.invalidateQueries({ queryKey: invitationsKey(SITE_INVITATIONS_URL) }),
      ]),
  });
}

/** The server's message for an unproven address speaks to its owner, not to the administrator. */
export function updateError(error: unknown, { email }: Account): string {
  if (!hasErrorCode(error, "address_unproven")) return errorMessage(error);
  return `Nothing was changed: ${email} is not confirmed yet. Its owner must sign in once with a code from their mail before you can give a role.`;
}
