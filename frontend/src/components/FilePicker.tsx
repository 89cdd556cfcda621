import { File as FileIcon, X } from "lucide-react";
import type { ReactNode } from "react";
import { DropZone, FileTrigger, Text } from "react-aria-components";
import { filesFromDrop, mergeFiles } from "@/lib/files";
import { formatBytes } from "@/lib/format";
import { Button } from "./Button";
import styles from "./FilePicker.module.css";

interface Props {
  files: File[];
  onChange: (files: File[]) => void;
  /** What to drop here. */
  label: string;
  hint?: ReactNode;
  /** The only ending that is taken, as in '.json'; of others, a folder's are left out. */
  extension?: string;
  /** One file alone: what is chosen takes the place of what was. */
  isSingle?: boolean;
}

/** Files by dragging or choosing; what is chosen twice replaces the first. */
export function FilePicker({ files, onChange, label, hint, extension = "", isSingle = false }: Props) {
  const add = (more: File[]) => {
    if (more.length > 0) onChange(isSingle ? more.slice(-1) : mergeFiles(files, more));
  };
  return (
    <div className={styles.picker}>
      <DropZone className={styles.drop ?? ""} onDrop={(event) => void filesFromDrop(event.items, extension).then(add)}>
        <div>
          <Text slot="label">{label}</Text>
          {hint && <p className={styles.hint}>{hint}</p>}
        </div>
        <FileTrigger allowsMultiple={!isSingle} {...(extension && { acceptedFileTypes: [extension] })} onSelect={(list) => add([...(list ?? [])])}>
          <Button size="large">{isSingle ? "Choose a file" : "Choose files"}</Button>
        </FileTrigger>
      </DropZone>
      {files.length > 0 && (
        <ul className={styles.files} aria-label="Chosen files">
          {files.map((file) => (
            <SelectedFiles key={file.name} file={file} onLeaveOut={() => onChange(files.filter((other) => other !== file))} />
          ))}
        </ul>
      )}
    </div>
  );
}

function SelectedFiles({ file, onLeaveOut }: { file: File; onLeaveOut: () => void }) {
  return (
    <li>
      <FileIcon size={16} aria-hidden />
      <span className={styles.fileName}>{file.name}</span>
      <span className={`${styles.size} number`}>{formatBytes(file.size)}</span>
      <Button variant="quiet" size="icon" aria-label={`Remove ${file.name}`} onPress={onLeaveOut}>
        <X size={16} aria-hidden />
      </Button>
    </li>
  );
}
