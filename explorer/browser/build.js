// Makes the scripts that Python sends from the typed modules; each lies beside its module and under its name.
//
// node build.js          writes them
// node build.js --check  says which are not what the modules give
// node build.js --test   runs the tests of the modules
//
// What it needs is installed in build/browser, so that no foreign file lies among the project's own.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const INSTALLED = join(ROOT, "build", "browser");
const { build } = createRequire(join(INSTALLED, "package.json"))("esbuild");
const FORM = { target: "es2022", charset: "utf8", legalComments: "none" };
// Stands after a view's script, whose names it must not take.
const APPENDED = join("explorer", "browser", "kept", "shelve.ts");
const MADE = "// Made from ";

const filesOf = (folder, ending) =>
  readdirSync(join(ROOT, folder), { withFileTypes: true })
    .flatMap((entry) =>
      entry.isDirectory()
        ? filesOf(join(folder, entry.name), ending)
        : entry.name.endsWith(ending)
          ? [join(folder, entry.name)]
          : [],
    )
    .sort();
const read = (path) => readFileSync(join(ROOT, path), "utf8");

/** A module with all that it imports, as one module; its default export stands in a line of its own. */
async function bundle(path) {
  const format = path === APPENDED ? "iife" : "esm";
  const options = { ...FORM, absWorkingDir: ROOT, entryPoints: [path], bundle: true, format, write: false };
  const {
    outputFiles: [{ text }],
  } = await build(options);
  return `${MADE}${basename(path)} by "make browser".\n${text.replace(/export \{\n {2}(\w+) as default\n\};\n$/, "export default $1;\n")}`;
}

/** The scripts by their paths: of each module that exports a default. */
async function scripts() {
  const paths = filesOf("explorer", ".ts").filter(
    (path) => path === APPENDED || /^export default /m.test(read(path)),
  );
  const texts = await Promise.all(paths.map(bundle));
  return new Map(paths.map((path, i) => [path.replace(/\.ts$/, ".js"), texts[i]]));
}

async function check() {
  const wanted = await scripts();
  const found = new Map(filesOf("explorer", ".js").map((path) => [path, read(path)]));
  const wrong = [...wanted].filter(([path, text]) => found.get(path) !== text).map(([path]) => path);
  const orphans = [...found]
    .filter(([path, text]) => text.startsWith(MADE) && !wanted.has(path))
    .map(([path]) => path);
  if (!wrong.length && !orphans.length) return 0;
  console.error(
    `Not what their modules give: ${[...wrong, ...orphans].join(", ")}. Run "make browser" and commit what it writes.`,
  );
  return 1;
}

async function test() {
  const folder = mkdtempSync(join(INSTALLED, "tests-"));
  try {
    const entryPoints = filesOf(join("tests", "typescript"), ".test.ts");
    await build({
      ...FORM,
      absWorkingDir: ROOT,
      entryPoints,
      bundle: true,
      platform: "node",
      format: "esm",
      outdir: folder,
      outExtension: { ".js": ".mjs" },
      sourcemap: "inline",
    });
    const files = readdirSync(folder).map((name) => relative(ROOT, join(folder, name)));
    return spawnSync(process.execPath, ["--enable-source-maps", "--test", "--test-reporter=spec", ...files], {
      cwd: ROOT,
      stdio: "inherit",
    }).status;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const [what] = process.argv.slice(2);
if (what === "--check") process.exitCode = await check();
else if (what === "--test") process.exitCode = await test();
else for (const [path, text] of await scripts()) writeFileSync(join(ROOT, path), text);
