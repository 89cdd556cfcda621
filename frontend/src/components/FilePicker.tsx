import { File as FileIcon, X } from "lucide-react";
import type { ReactNode } from "react";
import { DropZone, FileTrigger, Text } from "react-aria-components";
import { filesOf, joined } from "@/lib/files";
import { bytes } from "@/lib/format";
import { Button } from "./Button";
import styles from "./FilePicker.module.css";

interface Props {
  files: File[];
  onChange: (files: File[]) => void;
  /** What to drop here. */
  label: string;
  hint?: ReactNode;
  /** The only ending that is taken, as in '.json'; of others, a folder's are left out. */
  ending?: string;
  /** One file alone: what is chosen takes the place of what was. */
  isOne?: boolean;
}

/** Files by dragging or choosing; what is chosen twice replaces the first. */
export function FilePicker({ files, onChange, label, hint, ending = "", isOne = false }: Props) {
  const add = (more: File[]) => {
    if (more.length > 0) onChange(isOne ? more.slice(-1) : joined(files, more));
  };
  return (
    <div className={styles.picker}>
      <DropZone className={styles.drop ?? ""} onDrop={(event) => void filesOf(event.items, ending).then(add)}>
        <div>
          <Text slot="label">{label}</Text>
          {hint && <p className={styles.hint}>{hint}</p>}
        </div>
        <FileTrigger allowsMultiple={!isOne} {...(ending && { acceptedFileTypes: [ending] })} onSelect={(list) => add([...(list ?? [])])}>
          <Button size="large">{isOne ? "Choose a file" : "Choose files"}</Button>
        </FileTrigger>
      </DropZone>
      {files.length > 0 && (
        <ul className={styles.files} aria-label="Chosen files">
          {files.map((file) => (
            <Chosen
              key={file.name}
              file={file}
              onLeaveOut={() => onChange(files.filter((other) => other !== file))}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

function Chosen({ file, onLeaveOut }: { file: File; onLeaveOut: () => void }) {
  return (
    <li>
      <FileIcon size={16} aria-hidden />
      <span className={styles.fileName}>{file.name}</span>
      <span className={`${styles.size} number`}>{bytes(file.size)}</span>
      <Button look="quiet" size="icon" aria-label={`Leave out ${file.name}`} onPress={onLeaveOut}>
        <X size={16} aria-hidden />
      </Button>
    </li>
  );
}
