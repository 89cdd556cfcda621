import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import type { Plugin } from "vite";

const COMPRESSIBLE = /\.(css|html|js|json|map|svg|txt)$/;
const MIN_BYTES = 1024;
const ENCODERS = { gz: promisify(gzip), br: promisify(brotliCompress) };

/** Writes .gz and .br beside each text file of the build; the server sends them to browsers that accept them. */
export function precompress(): Plugin {
  let folder = "";
  return {
    name: "precompress",
    apply: "build",
    configResolved(config) {
      folder = join(config.root, config.build.outDir);
    },
    closeBundle: { order: "post", sequential: true, handler: () => compressFolder(folder) },
  };
}

export async function compressFolder(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && COMPRESSIBLE.test(entry.name));
  await Promise.all(files.map((file) => compressFile(join(file.parentPath, file.name))));
}

async function compressFile(path: string): Promise<void> {
  const content = await readFile(path);
  if (content.length < MIN_BYTES) return;
  for (const [suffix, encode] of Object.entries(ENCODERS)) {
    const encoded = await encode(content);
    if (encoded.length < content.length) await writeFile(`${path}.${suffix}`, encoded);
  }
}
