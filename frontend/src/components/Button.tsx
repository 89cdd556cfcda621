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

export function Button({ variant, size, ...props }: Omit<ButtonProps, "className"> & ButtonStyle) {
  return <AriaButton {...props} className={classes({ ...(variant && { variant }), ...(size && { size }) })} />;
}

/** A link that looks like a button: it goes somewhere, so it stays a link. */
export function ButtonLink({ variant, size, ...props }: Omit<LinkProps, "className"> & ButtonStyle) {
  return <Link {...props} className={classes({ ...(variant && { variant }), ...(size && { size }) })} />;
}
