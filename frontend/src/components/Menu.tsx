import { lazy, Suspense, useRef, useState, type ReactNode } from "react";
import { ButtonContext, type PressEvent } from "react-aria-components";
import type { MenuPopoverProps } from "./MenuPopover";

// Of the many menus of a page few are opened: their code comes when a pointer or the focus nears the first.
const load = () => import("./MenuPopover");
const MenuPopover = lazy(async () => ({ default: (await load()).MenuPopover }));
export const MenuItem = lazy(async () => ({ default: (await load()).MenuItem }));
export const MenuSection = lazy(async () => ({ default: (await load()).MenuSection }));

interface Props extends Pick<MenuPopoverProps, "label" | "placement"> {
  /** A Button. */
  trigger: ReactNode;
  children: ReactNode;
}

type FirstFocus = MenuPopoverProps["firstFocus"];

const FOCUS_BY_KEY: Record<string, FirstFocus> = { Enter: "first", " ": "first", ArrowDown: "first", ArrowUp: "last" };

/** Opens as React Aria's MenuTrigger does: at the press of a mouse, the release of a finger, Enter, Space or an arrow. */
export function Menu({ trigger, ...popover }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [firstFocus, setFirstFocus] = useState<FirstFocus | null>(null);
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
    isPressed: isOpen,
    preventFocusOnPress: true,
    onHoverStart: () => void load(),
    onFocus: () => void load(),
    onPressStart: press,
    onPress: press,
    onKeyDown: (event: { key: string; preventDefault: () => void; continuePropagation: () => void }) => {
      const focus = FOCUS_BY_KEY[event.key];
      if (focus === undefined) return event.continuePropagation();
      event.preventDefault();
      open(focus);
    },
  };
  return (
    <>
      <ButtonContext.Provider value={triggerProps}>{trigger}</ButtonContext.Provider>
      {firstFocus !== null && (
        <Suspense>
          <MenuPopover {...popover} firstFocus={firstFocus} triggerRef={button} isOpen={isOpen} onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  );
}
