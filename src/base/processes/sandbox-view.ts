/** What a program in a sandbox sees of this machine: the folders of installed software, and what it is given. */
import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file or folder of this machine that the program sees. */
export interface Mount {
  readonly source: string;
  /** Where it stands in the sandbox; where it stands outside unless said. */
  readonly target?: string;
  /** Read only unless said. */
  readonly writable?: boolean;
}

export interface SandboxView {
  /** In an order in which they can be made: folders before what stands in them. */
  readonly mounts: readonly Required<Mount>[];
  /** Links such as /bin → usr/bin. */
  readonly links: readonly { readonly path: string; readonly to: string }[];
}

const ownEtc = (name: string) => fileURLToPath(new URL(`./etc/${name}`, import.meta.url));

const software = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];
/** Configuration of the linker, of languages and fonts; nothing that tells of the machine's users. */
const configuration = [
  'alternatives',
  'ca-certificates',
  'fonts',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'localtime',
  'mime.types',
  'pki/tls/certs',
  'ssl/certs',
  'ssl/openssl.cnf',
].map((name) => `/etc/${name}`);
/** Only with a network: how names are resolved. */
const resolving = ['/etc/resolv.conf', '/etc/nsswitch.conf', '/etc/hosts'];

function kindOf(path: string): 'link' | 'other' | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? 'link' : 'other';
  } catch {
    return undefined;
  }
}

const isBelow = (path: string, folder: string) => {
  const way = relative(folder, path);
  return way === '' || (!way.startsWith('..') && !isAbsolute(way));
};

/** Where the sandbox has files of its own, which no mount may replace. */
const reserved = ['/proc', '/dev', '/sys'];

/** @throws TypeError where a mount is not of absolute paths, or stands where the sandbox's own files do */
function checked({ source, target = source, writable = false }: Mount): Required<Mount> {
  for (const path of [source, target])
    if (!isAbsolute(path) || path.includes('\0'))
      throw new TypeError(`The mount ${path} is no absolute path.`);
  const place = normalize(target).replace(/(?<=.)\/$/, '');
  if (place === '/' || place === '/tmp' || reserved.some((folder) => isBelow(place, folder)))
    throw new TypeError(`Nothing can be mounted at ${target} of a sandbox.`);
  return { source: realpathSync(source), target: place, writable };
}

/** The view with the command and the mounts in it. */
export function sandboxView(command: string, mounts: readonly Mount[], network: boolean): SandboxView {
  const links: { path: string; to: string }[] = [];
  const system: Required<Mount>[] = [];
  const readOnly = (source: string, target = source) =>
    system.push({ source: realpathSync(source), target, writable: false });
  for (const path of software) {
    const kind = kindOf(path);
    if (kind === 'link') links.push({ path, to: readlinkSync(path) });
    else if (kind !== undefined) readOnly(path);
  }
  for (const path of [...configuration, ...(network ? resolving : [])])
    if (kindOf(path) !== undefined) readOnly(path);
  readOnly(ownEtc('passwd'), '/etc/passwd');
  readOnly(ownEtc('group'), '/etc/group');
  if (!network) readOnly(ownEtc('hosts'), '/etc/hosts');
  const own = mounts.map(checked);
  const seen = [...system, ...own];
  // The command may lie outside the software's folders: its own file, and the name that it is called by.
  if (
    !seen.some(({ target }) => isBelow(command, target)) &&
    !links.some(({ path }) => isBelow(command, path))
  )
    readOnly(command, command);
  return {
    links,
    mounts: [...system, ...own].toSorted((a, b) => depth(a.target) - depth(b.target)),
  };
}

const depth = (path: string) => path.split('/').length;

/** Folders that must be there before the mounts, the outermost first. */
export function foldersFor(paths: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const path of paths)
    for (let folder = dirname(path); folder !== '/'; folder = dirname(folder)) folders.add(folder);
  return [...folders].toSorted((a, b) => depth(a) - depth(b));
}
