import { Button as AriaButton, type ButtonProps } from "react-aria-components";
import { Link, type LinkProps } from "react-router";
import styles from "./Button.module.css";

interface Look {
  look?: "plain" | "primary" | "quiet";
  size?: "normal" | "large" | "icon";
}

function classes({ look = "plain", size = "normal" }: Look): string {
  const named = { plain: "", primary: styles.primary, quiet: styles.quiet }[look];
  const sized = { normal: "", large: styles.large, icon: styles.icon }[size];
  return [styles.button, named, sized].filter(Boolean).join(" ");
}

export function Button({ look, size, ...props }: Omit<ButtonProps, "className"> & Look) {
  return <AriaButton {...props} className={classes({ ...(look && { look }), ...(size && { size }) })} />;
}

/** A link that looks like a button: it goes somewhere, so it stays a link. */
export function ButtonLink({ look, size, ...props }: Omit<LinkProps, "className"> & Look) {
  return <Link {...props} className={classes({ ...(look && { look }), ...(size && { size }) })} />;
}
