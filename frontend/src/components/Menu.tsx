import { Check } from "lucide-react";
import type { ReactNode } from "react";
import {
  Header,
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  MenuSection as AriaMenuSection,
  MenuTrigger,
  Popover,
  Text,
  type MenuItemProps,
  type MenuSectionProps,
} from "react-aria-components";
import styles from "./Menu.module.css";

interface Props {
  label: string;
  trigger: ReactNode;
  placement?: "bottom start" | "bottom end" | "top end";
  children: ReactNode;
}

export function Menu({ label, trigger, placement = "bottom end", children }: Props) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover className={styles.popover ?? ""} placement={placement}>
        <AriaMenu className={styles.menu ?? ""} aria-label={label}>{children}</AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}

type ItemProps = Omit<MenuItemProps, "className" | "children" | "textValue"> & {
  label: string;
  /** A line on what it means. */
  hint?: string;
  icon?: ReactNode;
};

export function MenuItem({ label, hint, icon, ...props }: ItemProps) {
  return (
    <AriaMenuItem {...props} textValue={label} className={styles.item ?? ""}>
      {({ isSelected, selectionMode }) => (
        <>
          {icon}
          <span>
            <Text slot="label">{label}</Text>
            {hint && <Text slot="description" className={styles.hint ?? ""}>{hint}</Text>}
          </span>
          {selectionMode !== "none" && isSelected && <Check size={16} className={styles.check} aria-hidden />}
        </>
      )}
    </AriaMenuItem>
  );
}

type SectionProps = Omit<MenuSectionProps<object>, "className" | "children"> & {
  title?: string;
  note?: string;
  children: ReactNode;
};

export function MenuSection({ title, note, children, ...props }: SectionProps) {
  return (
    <AriaMenuSection {...props} className={styles.section ?? ""}>
      {title && <Header className={styles.header ?? ""}>{title}{note && <span className={styles.note}>{note}</span>}</Header>}
      {children}
    </AriaMenuSection>
  );
}
