import { useId, useRef, useState, type ReactNode } from "react";
import { ButtonContext, type PressEvent } from "react-aria-components";
import { Part, usePart } from "@/lib/part";
import type { MenuItemProps, MenuPopoverProps, MenuSectionProps } from "./MenuPopover";
import { PartFailed } from "./PartFailed";

// Of the many menus of a page few are opened: their code comes when a pointer or the focus nears the first.
export const menuPart = new Part(() => import("./MenuPopover"));

/** Only in an open menu, whose code is there. */
export function MenuItem(props: MenuItemProps) {
  const { module } = usePart(menuPart, false);
  return module && <module.MenuItem {...props} />;
}

/** Only in an open menu, whose code is there. */
export function MenuSection(props: MenuSectionProps) {
  const { module } = usePart(menuPart, false);
  return module && <module.MenuSection {...props} />;
}

interface Props extends Pick<MenuPopoverProps, "label" | "placement"> {
  /** A Button. */
  trigger: ReactNode;
  children: ReactNode;
}

type FirstFocus = MenuPopoverProps["firstFocus"];

interface PressedKey {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  preventDefault: () => void;
  continuePropagation: () => void;
}

const FOCUS_BY_KEY: Record<string, FirstFocus> = { Enter: "first", " ": "first", ArrowDown: "first", ArrowUp: "last" };

/** Opens as React Aria's MenuTrigger does: at the press of a mouse, the release of a finger, Enter, Space or an arrow. */
export function Menu({ trigger, ...popover }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [firstFocus, setFirstFocus] = useState<FirstFocus>(true);
  const { module, hasFailed } = usePart(menuPart, isOpen);
  const id = useId();
  const open = (focus: FirstFocus) => {
    // The menu gives the focus back to what had it.
    button.current?.focus({ preventScroll: true });
    setFirstFocus(focus);
    setOpen(true);
  };
  const press = ({ type, pointerType }: PressEvent) => {
    const isByPress = pointerType === "mouse" || pointerType === "pen" || pointerType === "virtual";
    if (isByPress && type === "pressstart") open(pointerType === "virtual" ? "first" : true);
    if (pointerType === "touch" && type === "press") open(true);
  };
  const triggerProps = {
    ref: button,
    "aria-haspopup": "menu" as const,
    "aria-expanded": isOpen,
    ...(isOpen && module && { "aria-controls": id }),
    isPressed: isOpen,
    preventFocusOnPress: true,
    onHoverStart: () => void menuPart.load(),
    onFocus: () => void menuPart.load(),
    onPressStart: press,
    onPress: press,
    onKeyDown: (event: PressedKey) => {
      const focus = event.ctrlKey || event.metaKey || event.shiftKey ? undefined : FOCUS_BY_KEY[event.key];
      if (event.key === "Escape" && !module) setOpen(false);
      if (focus === undefined) return event.continuePropagation();
      event.preventDefault();
      open(focus);
    },
  };
  return (
    <>
      <ButtonContext.Provider value={triggerProps}>{trigger}</ButtonContext.Provider>
      {module && (
        <module.MenuPopover {...popover} id={id} firstFocus={firstFocus} triggerRef={button} isOpen={isOpen} onOpenChange={setOpen} />
      )}
      {isOpen && hasFailed && <PartFailed onRetry={menuPart.load} />}
    </>
  );
}
