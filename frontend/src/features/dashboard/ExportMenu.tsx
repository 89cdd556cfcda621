import { useQuery } from "@tanstack/react-query";
import { ChevronDown, Download } from "lucide-react";
import type { Id } from "@/api/contract";
import { Button } from "@/components/Button";
import { Menu, MenuItem, MenuSection } from "@/components/Menu";
import { studyFormatsQuery } from "@/domains/studies/studyFormats";

export function ExportMenu({ study }: { study: Id }) {
  const { data: known = [] } = useQuery(studyFormatsQuery);
  const formats = known.filter((one) => one.can_export);
  const link = (name: string, query: string) => `/api/v1/studies/${study}/export?format=${name}${query}`;
  return (
    <Menu
      label="Export all answers"
      trigger={
        <Button>
          <Download size={16} aria-hidden />
          Export
          <ChevronDown size={14} aria-hidden />
        </Button>
      }
    >
      <MenuSection title="Experts as pseudonyms">
        {formats.map(({ name, title, description }) => (
          <MenuItem key={name} id={name} label={title} hint={description} href={link(name, "")} download />
        ))}
      </MenuSection>
      <MenuSection title="With the experts’ names">
        {formats.map(({ name, title }) => (
          <MenuItem key={name} id={`${name}-names`} label={`${title} with names`} href={link(name, "&names=1")} download />
        ))}
      </MenuSection>
    </Menu>
  );
}
