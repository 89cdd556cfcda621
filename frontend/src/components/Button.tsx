import { useState, type Ref } from "react";
import { Button as AriaButton, type ButtonProps } from "react-aria-components";
import { Link, type LinkProps } from "react-router";
import styles from "./Button.module.css";

interface ButtonStyle {
  variant?: "plain" | "primary" | "quiet";
  size?: "normal" | "large" | "icon";
}

function classes({ variant = "plain", size = "normal" }: ButtonStyle): string {
  const named = { plain: "", primary: styles.primary, quiet: styles.quiet }[variant];
  const sized = { normal: "", large: styles.large, icon: styles.icon }[size];
  return [styles.button, named, sized].filter(Boolean).join(" ");
}

/** One that is disabled while it has the focus keeps it, and does nothing: a browser would move the focus to the page. */
export function Button({ variant, size, isDisabled = false, isPending = false, onFocusChange, ...props }: Omit<ButtonProps, "className"> & ButtonStyle & { ref?: Ref<HTMLButtonElement> }) {
  const [isFocused, setFocused] = useState(false);
  const isInactive = isDisabled && isFocused;
  const className = classes({ ...(variant && { variant }), ...(size && { size }) });
  return (
    <AriaButton
      {...props}
      isDisabled={isDisabled && !isFocused}
      isPending={isPending || isInactive}
      onFocusChange={(has) => {
        setFocused(has);
        onFocusChange?.(has);
      }}
      className={isInactive ? `${className} ${styles.inactive}` : className}
    />
  );
}

/** A link that looks like a button: it goes somewhere, so it stays a link. */
export function ButtonLink({ variant, size, ...props }: Omit<LinkProps, "className"> & ButtonStyle) {
  return <Link {...props} className={classes({ ...(variant && { variant }), ...(size && { size }) })} />;
}
