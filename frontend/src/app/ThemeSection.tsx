import { Monitor, Moon, Sun } from "lucide-react";
import { MenuItem, MenuSection } from "@/components/Menu";
import { setTheme, useTheme, type Theme } from "@/lib/theme";

interface ThemeOption {
  value: Theme;
  label: string;
  Icon: typeof Sun;
}

const SYSTEM_THEME: ThemeOption = { value: "system", label: "System", Icon: Monitor };
const THEMES: ThemeOption[] = [
  SYSTEM_THEME,
  { value: "light", label: "Light", Icon: Sun },
  { value: "dark", label: "Dark", Icon: Moon },
];

export function themeOption(theme: Theme): ThemeOption {
  return THEMES.find(({ value }) => value === theme) ?? SYSTEM_THEME;
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
        if (chosen) setTheme(chosen.value);
      }}
    >
      {THEMES.map(({ value, label, Icon }) => (
        <MenuItem key={value} id={value} label={label} icon={<Icon size={16} aria-hidden />} />
      ))}
    </MenuSection>
  );
}
