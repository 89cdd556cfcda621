import { ChevronDown, CircleUserRound } from "lucide-react";
import { NavLink, useLocation } from "react-router";
import type { CurrentUser } from "@/api/contract";
import { Brand } from "@/components/Brand";
import { Button, ButtonLink } from "@/components/Button";
import { Menu, MenuItem, MenuSection } from "@/components/Menu";
import { navigationFor, type NavigationItem } from "@/domains/accounts/permissions";
import { useSignOut } from "@/domains/accounts/useSignOut";
import { useCurrentUser } from "@/lib/currentUser";
import { useTheme } from "@/lib/theme";
import { useMediaQuery } from "@/lib/useMediaQuery";
import { splitPlaces } from "./places";
import { SiteSearch } from "./search/SiteSearch";
import { themeOption, ThemeSection } from "./ThemeSection";
import styles from "./TopBar.module.css";

/** Below it the places are in the bar at the bottom. */
export const WIDTH_OF_PLACES = "(min-width: 768px)";
/** From it on, every place and the field of the search fit. */
const WIDTH_OF_ALL = "(min-width: 1200px)";

export function TopBar() {
  const me = useCurrentUser();
  const hasPlaces = useMediaQuery(WIDTH_OF_PLACES);
  const isWide = useMediaQuery(WIDTH_OF_ALL);
  const signOut = useSignOut();
  return (
    <header className={styles.bar}>
      <Brand to="/" />
      {hasPlaces && <Places items={navigationFor(me)} isWide={isWide} />}
      <SiteSearch isField={isWide} />
      {hasPlaces && <Tools me={me} onSignOut={signOut.request} />}
      {!hasPlaces && <SignInPlace me={me} />}
      {signOut.dialog}
    </header>
  );
}

function Places({ items, isWide }: { items: NavigationItem[]; isWide: boolean }) {
  const { shown, rest } = splitPlaces(items, isWide);
  return (
    <nav aria-label="Main" className={styles.places}>
      {shown.map((place) => <NavLink key={place.path} to={place.path} className={styles.place ?? ""}>{place.label}</NavLink>)}
      {rest.length > 0 && (
        <Menu label="More" trigger={<Button variant="quiet">More<ChevronDown size={16} aria-hidden /></Button>}>
          {rest.map(({ path, label }) => <MenuItem key={path} id={path} label={label} href={path} />)}
        </Menu>
      )}
    </nav>
  );
}

function Tools({ me, onSignOut }: { me: CurrentUser | null | undefined; onSignOut: () => void }) {
  return (
    <div className={styles.tools}>
      <ThemeMenu />
      {me && <AccountMenu user={me} onSignOut={onSignOut} />}
      <SignInPlace me={me} />
    </div>
  );
}

/** Its place is there before it is known who is here, so that the search does not move. */
function SignInPlace({ me }: { me: CurrentUser | null | undefined }) {
  const path = useSignInPath();
  if (me) return null;
  return me === null ? <ButtonLink to={path}>Sign in</ButtonLink> : <span className={styles.signIn} />;
}

/** Back to this page after signing in, unless this page is about signing in. */
function useSignInPath(): string {
  const { pathname } = useLocation();
  const returnPath = !["/", "/sign-in", "/reset-password", "/invite"].includes(pathname);
  return returnPath ? `/sign-in?next=${encodeURIComponent(pathname)}` : "/sign-in";
}

function ThemeMenu() {
  const { label, Icon } = themeOption(useTheme());
  return (
    <Menu
      label="Appearance"
      trigger={
        <Button variant="quiet" size="icon" aria-label={`Appearance: ${label.toLowerCase()}`}>
          <Icon size={18} aria-hidden />
        </Button>
      }
    >
      <ThemeSection />
    </Menu>
  );
}

interface AccountProps {
  user: CurrentUser;
  onSignOut: () => void;
}

function AccountMenu({ user, onSignOut }: AccountProps) {
  return (
    <Menu
      label="Account"
      trigger={
        <Button variant="quiet">
          <CircleUserRound size={18} aria-hidden />
          <span className={styles.name}>{user.name || user.email}</span>
        </Button>
      }
    >
      {accountSection({ user, onSignOut })}
    </Menu>
  );
}

export function accountSection({ user, onSignOut }: AccountProps) {
  return (
    <MenuSection title={user.name || user.email} {...(user.name && { note: user.email })}>
      <MenuItem id="account" label="Account" href="/account" />
      <MenuItem id="sign-out" label="Sign out" onAction={onSignOut} />
    </MenuSection>
  );
}
