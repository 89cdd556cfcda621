import { CircleUserRound, Menu as MenuIcon } from "lucide-react";
import { NavLink, useLocation } from "react-router";
import type { Me } from "@/api/contract";
import { Brand } from "@/components/Brand";
import { Button, ButtonLink } from "@/components/Button";
import { Menu, MenuItem, MenuSection } from "@/components/Menu";
import { useSignOut } from "@/components/SignOut";
import { placesFor, type Place } from "@/lib/access";
import { useMe } from "@/lib/me";
import { useTheme } from "@/lib/theme";
import { lookOf, ThemeSection } from "./ThemeSection";
import styles from "./TopBar.module.css";

export function TopBar() {
  const me = useMe();
  const leaving = useSignOut();
  const places = placesFor(me);
  return (
    <header className={styles.bar}>
      <Brand to="/" />
      <nav aria-label="Main" className={styles.places}>
        {places.map((place) => (
          <NavLink key={place.to} to={place.to} className={styles.place ?? ""}>
            {place.label}
          </NavLink>
        ))}
      </nav>
      <div className={styles.tools}>
        <ThemeMenu />
        {me && <AccountMenu me={me} onSignOut={leaving.ask} />}
        {me === null && <SignInLink />}
      </div>
      <div className={styles.compact}>
        <CompactMenu me={me} places={places} onSignOut={leaving.ask} />
      </div>
      {leaving.dialog}
    </header>
  );
}

function SignInLink() {
  return (
    <ButtonLink to={useSignInPath()}>
      Sign in
    </ButtonLink>
  );
}

/** Back to this page after signing in, unless this page is about signing in. */
function useSignInPath(): string {
  const { pathname } = useLocation();
  const stay = !["/", "/sign-in", "/reset-password", "/invite"].includes(pathname);
  return stay ? `/sign-in?next=${encodeURIComponent(pathname)}` : "/sign-in";
}

function ThemeMenu() {
  const { label, Icon } = lookOf(useTheme());
  return (
    <Menu
      label="Appearance"
      trigger={
        <Button look="quiet" size="icon" aria-label={`Appearance: ${label.toLowerCase()}`}>
          <Icon size={18} aria-hidden />
        </Button>
      }
    >
      <ThemeSection />
    </Menu>
  );
}

interface AccountProps {
  me: Me;
  onSignOut: () => void;
}

function AccountMenu({ me, onSignOut }: AccountProps) {
  return (
    <Menu
      label="Account"
      trigger={
        <Button look="quiet">
          <CircleUserRound size={18} aria-hidden />
          <span className={styles.name}>{me.name || me.email}</span>
        </Button>
      }
    >
      {accountSection({ me, onSignOut })}
    </Menu>
  );
}

function accountSection({ me, onSignOut }: AccountProps) {
  return (
    <MenuSection title={me.name || me.email} {...(me.name && { note: me.email })}>
      <MenuItem id="account" label="Account" href="/account" />
      <MenuItem id="sign-out" label="Sign out" onAction={onSignOut} />
    </MenuSection>
  );
}

interface CompactProps {
  me: Me | null | undefined;
  places: Place[];
  onSignOut: () => void;
}

/** Everything of the bar behind one button, where there is no room for a row. */
function CompactMenu({ me, places, onSignOut }: CompactProps) {
  const signIn = useSignInPath();
  return (
    <Menu
      label="Menu"
      trigger={
        <Button look="quiet">
          <MenuIcon size={18} aria-hidden />
          Menu
        </Button>
      }
    >
      <MenuSection aria-label="Pages">
        {places.map((place) => (
          <MenuItem key={place.to} id={place.to} label={place.label} href={place.to} />
        ))}
        {me === null && <MenuItem id="sign-in" label="Sign in" href={signIn} />}
      </MenuSection>
      <ThemeSection />
      {me && accountSection({ me, onSignOut })}
    </Menu>
  );
}
