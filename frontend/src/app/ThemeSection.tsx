import { Monitor, Moon, Sun } from "lucide-react";
import { MenuItem, MenuSection } from "@/components/Menu";
import { chooseTheme, useTheme, type Theme } from "@/lib/theme";

interface Look {
  value: Theme;
  label: string;
  Icon: typeof Sun;
}

const AS_SYSTEM: Look = { value: "system", label: "As the system", Icon: Monitor };
const THEMES: Look[] = [
  AS_SYSTEM,
  { value: "light", label: "Light", Icon: Sun },
  { value: "dark", label: "Dark", Icon: Moon },
];

/** How the chosen appearance is called and drawn. */
export function lookOf(theme: Theme): Look {
  return THEMES.find(({ value }) => value === theme) ?? AS_SYSTEM;
}

export function ThemeSection() {
  const theme = useTheme();
  return (
    <MenuSection
      title="Appearance"
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[theme]}
      onSelectionChange={(keys) => {
        const chosen = THEMES.find(({ value }) => keys !== "all" && keys.has(value));
        if (chosen) chooseTheme(chosen.value);
      }}
    >
      {THEMES.map(({ value, label, Icon }) => (
        <MenuItem key={value} id={value} label={label} icon={<Icon size={16} aria-hidden />} />
      ))}
    </MenuSection>
  );
}
