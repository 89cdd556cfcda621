import { mkdir, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { compressFolder } from "../../precompress";

test("text files of the build get compressed copies with the same content, other files none", async () => {
  const folder = await mkdtemp(join(tmpdir(), "serendib-dist-"));
  const script = "export const answer = 42;\n".repeat(500);
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "assets", "main.js"), script);
  await writeFile(join(folder, "assets", "font.woff2"), script);
  await writeFile(join(folder, "small.css"), "a {}");

  await compressFolder(folder);

  expect((await readdir(join(folder, "assets"))).toSorted()).toEqual([
    "font.woff2",
    "main.js",
    "main.js.br",
    "main.js.gz",
  ]);
  expect(await readdir(folder)).not.toContain("small.css.gz");
  expect(gunzipSync(await readFile(join(folder, "assets", "main.js.gz"))).toString()).toBe(script);
  expect(brotliDecompressSync(await readFile(join(folder, "assets", "main.js.br"))).toString()).toBe(script);
});
