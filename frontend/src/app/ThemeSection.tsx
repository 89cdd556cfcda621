import { Monitor, Moon, Sun } from "lucide-react";
import { MenuItem, MenuSection } from "@/components/Menu";
import { chooseTheme, useTheme, type Theme } from "@/lib/theme";

export const THEMES: { value: Theme; label: string; Icon: typeof Sun }[] = [
  { value: "system", label: "As the system", Icon: Monitor },
  { value: "light", label: "Light", Icon: Sun },
  { value: "dark", label: "Dark", Icon: Moon },
];

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
