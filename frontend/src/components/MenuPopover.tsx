import { Check } from "lucide-react";
import type { ReactNode, RefObject } from "react";
import {
  Header,
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  MenuSection as AriaMenuSection,
  Popover,
  Text,
  type MenuItemProps as AriaMenuItemProps,
  type MenuSectionProps as AriaMenuSectionProps,
} from "react-aria-components";
import styles from "./Menu.module.css";

export interface MenuPopoverProps {
  id: string;
  label: string;
  placement?: "bottom start" | "bottom end" | "top end";
  /** What has the focus once it is open: an item, or the menu itself. */
  firstFocus: "first" | "last" | true;
  triggerRef: RefObject<HTMLButtonElement | null>;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  children?: ReactNode;
}

export function MenuPopover({ id, label, placement = "bottom end", firstFocus, onOpenChange, children, ...popover }: MenuPopoverProps) {
  return (
    <Popover {...popover} onOpenChange={onOpenChange} trigger="MenuTrigger" aria-label={label} className={styles.popover ?? ""} placement={placement}>
      <AriaMenu id={id} className={styles.menu ?? ""} aria-label={label} autoFocus={firstFocus} onClose={() => onOpenChange(false)}>
        {children}
      </AriaMenu>
    </Popover>
  );
}

export type MenuItemProps = Omit<AriaMenuItemProps, "className" | "children" | "textValue"> & {
  label: string;
  /** A line on what it means. */
  hint?: string;
  icon?: ReactNode;
};

export function MenuItem({ label, hint, icon, ...props }: MenuItemProps) {
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

export type MenuSectionProps = Omit<AriaMenuSectionProps<object>, "className" | "children"> & {
  title?: string;
  note?: string;
  children: ReactNode;
};

export function MenuSection({ title, note, children, ...props }: MenuSectionProps) {
  return (
    <AriaMenuSection {...props} className={styles.section ?? ""}>
      {title && <Header className={styles.header ?? ""}>{title}{note && <span className={styles.note}>{note}</span>}</Header>}
      {children}
    </AriaMenuSection>
  );
}
