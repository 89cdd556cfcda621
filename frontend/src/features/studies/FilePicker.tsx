import { FileJson, X } from "lucide-react";
import { DropZone, FileTrigger, Text, type DropItem } from "react-aria-components";
import { Button } from "@/components/Button";
import { bytes } from "@/lib/format";
import styles from "./Studies.module.css";

interface Props {
  files: File[];
  onChange: (files: File[]) => void;
}

/** Files by dragging or choosing; what is chosen twice replaces the first. */
export function FilePicker({ files, onChange }: Props) {
  const add = (more: File[]) => onChange(joined(files, more));
  return (
    <div className={styles.picker}>
      <DropZone className={styles.drop ?? ""} onDrop={(event) => void filesOf(event.items).then(add)}>
        <Text slot="label">Drop the files here: batch1.json, batch2.json and so on</Text>
        <FileTrigger allowsMultiple acceptedFileTypes={[".json"]} onSelect={(list) => add([...(list ?? [])])}>
          <Button size="large">Choose files</Button>
        </FileTrigger>
      </DropZone>
      {files.length > 0 && (
        <ul className={styles.files} aria-label="Chosen files">
          {files.map((file) => (
            <li key={file.name}>
              <FileJson size={16} aria-hidden />
              <span className={styles.fileName}>{file.name}</span>
              <span className={`${styles.quiet} number`}>{bytes(file.size)}</span>
              <Button
                look="quiet"
                size="icon"
                aria-label={`Leave out ${file.name}`}
                onPress={() => onChange(files.filter((other) => other !== file))}
              >
                <X size={16} aria-hidden />
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

async function filesOf(items: DropItem[]): Promise<File[]> {
  return Promise.all(items.flatMap((item) => (item.kind === "file" ? [item.getFile()] : [])));
}

const byNumber = new Intl.Collator("en", { numeric: true });

export function joined(files: File[], more: File[]): File[] {
  const named = new Map([...files, ...more].map((file) => [file.name, file]));
  return [...named.values()].sort((a, b) => byNumber.compare(a.name, b.name));
}
