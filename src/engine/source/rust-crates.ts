/** Where the crates of a Rust project lie: what `crate` means in a file, and the names by which others use them. */

interface RustFile {
  path: string;
  text: string;
}

/** What a `Cargo.toml` names. */
export interface RustCrate {
  /** As it is written in source, with `_` for `-`. */
  name: string;
  /** Where its source lies, with a slash at the end. */
  source: string;
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

const sectionOf = (text: string, name: string): string =>
  new RegExp(String.raw`^\[${name}\]([\s\S]*?)(?=^\[|$(?![\s\S]))`, 'm').exec(text)?.[1] ?? '';

const nameIn = (section: string): string | undefined => /^\s*name\s*=\s*"([^"]+)"/m.exec(section)?.[1];

const longestManifest = 100_000;

/** The crates of a project. */
export const rustCratesOf = (files: readonly RustFile[]): RustCrate[] =>
  files
    .filter(({ path }) => /(?:^|\/)Cargo\.toml$/.test(path))
    .flatMap(({ path, text }) => {
      const manifest = text.slice(0, longestManifest);
      const named = [nameIn(sectionOf(manifest, 'lib')), nameIn(sectionOf(manifest, 'package'))];
      const source = `${folderOf(path)}src/`;
      return named
        .filter((name) => name !== undefined)
        .map((name) => ({ name: name.replaceAll('-', '_'), source }));
    });

/** Where the source of a file's crate begins: `server/src/` for `server/src/tools/shell.rs`. */
export const sourceRootOf = (path: string): string => /^(?:.*\/)?src\//.exec(path)?.[0] ?? folderOf(path);
