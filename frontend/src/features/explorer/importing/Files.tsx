import { File as FileIcon, X } from "lucide-react";
import { DropZone, FileTrigger, Text } from "react-aria-components";
import { Button } from "@/components/Button";
import { Notice } from "@/components/Notice";
import { bytes } from "@/lib/format";
import styles from "./Importing.module.css";

const LARGEST = 500_000_000;

interface Props {
  files: File[];
  onChange: (files: File[]) => void;
}

/** The graph's files; one of a name that is there already takes its place. */
export function Files({ files, onChange }: Props) {
  const add = (more: File[]) => onChange([...new Map([...files, ...more].map((file) => [file.name, file])).values()]);
  const size = files.reduce((sum, file) => sum + file.size, 0);
  return (
    <div className={styles.field}>
      <DropZone
        className={styles.drop ?? ""}
        onDrop={({ items }) => void Promise.all(items.flatMap((item) => (item.kind === "file" ? [item.getFile()] : []))).then(add)}
      >
        <Text slot="label">Drop the files here; compressed ones (.gz, .zip) too, at most {bytes(LARGEST)} together</Text>
        <FileTrigger allowsMultiple onSelect={(list) => add([...(list ?? [])])}>
          <Button size="large">Choose files</Button>
        </FileTrigger>
      </DropZone>
      {files.length > 0 && (
        <ul className={styles.files} aria-label="Chosen files">
          {files.map((file) => (
            <li key={file.name}>
              <FileIcon size={16} aria-hidden />
              <span className={styles.fileName}>{file.name}</span>
              <span className={styles.quiet}>{bytes(file.size)}</span>
              <Button look="quiet" size="icon" aria-label={`Leave out ${file.name}`} onPress={() => onChange(files.filter((other) => other !== file))}>
                <X size={16} aria-hidden />
              </Button>
            </li>
          ))}
        </ul>
      )}
      {size > LARGEST && (
        <Notice tone="bad">These files have {bytes(size)}; at most {bytes(LARGEST)} can be sent. Larger graphs are imported on the server, with manage.py import_graph.</Notice>
      )}
    </div>
  );
}
