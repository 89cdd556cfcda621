import { Ellipsis } from "lucide-react";
import { Button } from "react-aria-components";
import { NavLink } from "react-router";
import type { CurrentUser } from "@/api/contract";
import { Menu, MenuItem, MenuSection } from "@/components/Menu";
import { useSignOut } from "@/domains/accounts/useSignOut";
import { useCurrentUser } from "@/lib/currentUser";
import styles from "./BottomBar.module.css";
import { mainPlaces, otherPlaces } from "./places";
import { ThemeSection } from "./ThemeSection";
import { accountSection } from "./TopBar";

/** On a phone: the main places under the thumb, and everything else in a menu. */
export function BottomBar() {
  const me = useCurrentUser();
  const signOut = useSignOut();
  return (
    <nav aria-label="Main" className={styles.bar}>
      {mainPlaces(me).map(({ path, label, Icon }) => (
        <NavLink key={label} to={path} end={path === "/"} className={styles.place ?? ""}>
          <Icon size={20} aria-hidden />
          {label}
        </NavLink>
      ))}
      <MoreMenu me={me} onSignOut={signOut.request} />
      {signOut.dialog}
    </nav>
  );
}

function MoreMenu({ me, onSignOut }: { me: CurrentUser | null | undefined; onSignOut: () => void }) {
  return (
    <Menu
      label="More"
      placement="top end"
      trigger={<Button className={styles.place ?? ""}><Ellipsis size={20} aria-hidden />More</Button>}
    >
      <MenuSection aria-label="Pages">
        {otherPlaces(me).map(({ path, label }) => <MenuItem key={path} id={path} label={label} href={path} />)}
      </MenuSection>
      <ThemeSection />
      {me && accountSection({ user: me, onSignOut })}
    </Menu>
  );
}
