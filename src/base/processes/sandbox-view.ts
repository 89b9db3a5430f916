/** The files visible in a sandbox: installed software, and explicit mounts. */
import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file or folder of the host to mount. */
export interface Mount {
  readonly source: string;
  /** Path in the sandbox; default: the same as outside. */
  readonly target?: string;
  /** Default: read-only. */
  readonly writable?: boolean;
}

export interface SandboxView {
  /** In mount order: folders before their content. */
  readonly mounts: readonly Required<Mount>[];
  /** Links such as /bin → usr/bin. */
  readonly links: readonly { readonly path: string; readonly to: string }[];
}

const ownEtc = (name: string) => fileURLToPath(new URL(`./etc/${name}`, import.meta.url));

const software = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];
/** Configuration of linker, locales and fonts; nothing about the machine's users. */
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
/** Only with network access: DNS configuration. */
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

/** The sandbox's own mounts, which must not be replaced. */
const reserved = ['/proc', '/dev', '/sys'];

/** @throws TypeError for a relative path, or a mount over the sandbox's own files */
function checked({ source, target = source, writable = false }: Mount): Required<Mount> {
  for (const path of [source, target])
    if (!isAbsolute(path) || path.includes('\0'))
      throw new TypeError(`The mount ${path} is not an absolute path.`);
  const place = normalize(target).replace(/(?<=.)\/$/, '');
  if (place === '/' || place === '/tmp' || reserved.some((folder) => isBelow(place, folder)))
    throw new TypeError(`Nothing may be mounted at ${target} in a sandbox.`);
  return { source: realpathSync(source), target: place, writable };
}

/** Builds the view with the command and the mounts. */
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
  // The command may be outside of the software folders: mount its file and the path it is called by.
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

/** Folders to create before mounting, outermost first. */
export function foldersFor(paths: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const path of paths)
    for (let folder = dirname(path); folder !== '/'; folder = dirname(folder)) folders.add(folder);
  return [...folders].toSorted((a, b) => depth(a) - depth(b));
}
