import { ArchiveError, shown, type ArchiveLimits } from './archive-limits.ts';

const unsafe = (name: string, why: string) =>
  new ArchiveError('unsafe_path', `The entry ${shown(name)} ${why}.`, name);

/** The longest name that file systems take for one file or folder. */
const segmentBytes = 255;

/** Why a path is unsafe or not portable; undefined if it is neither. */
function faultOf(name: string, { depth, pathBytes }: ArchiveLimits): string | undefined {
  // oxlint-disable-next-line no-control-regex -- this check looks for them
  if (/[\u0000-\u001f\u007f]/.test(name)) return 'has control characters in its name';
  if (!name.isWellFormed()) return 'has a name that is not valid Unicode';
  if (name.includes('\\')) return 'has a backslash in its name';
  if (name.startsWith('/')) return 'has an absolute path';
  if (/^[A-Za-z]:/.test(name)) return 'has a drive letter';
  if (Buffer.byteLength(name) > pathBytes) return `has a path of more than ${pathBytes} bytes`;
  const segments = name.split('/');
  if (segments.includes('..')) return 'points outside of the archive';
  if (segments.length > depth + 1) return `is nested in more than ${depth} folders`;
  return segments.some((segment) => Buffer.byteLength(segment) > segmentBytes)
    ? `has a name of more than ${segmentBytes} bytes`
    : undefined;
}

/** The paths of one archive: checks that each is safe and that no two name the same file. */
export class EntryPaths {
  readonly #limits: ArchiveLimits;
  /** Keyed by case-folded, normalized path, since some file systems ignore case and Unicode form. */
  readonly #known = new Map<string, { path: string; isFile: boolean }>();

  constructor(limits: ArchiveLimits) {
    this.#limits = limits;
  }

  /**
   * The entry's path without `./`, empty segments and trailing slash; empty for the root.
   * @throws ArchiveError
   */
  add(name: string, isFile: boolean): string {
    const why = faultOf(name, this.#limits);
    if (why !== undefined) throw unsafe(name, why);
    const segments = name.split('/').filter((segment) => segment !== '' && segment !== '.');
    if (segments.length === 0) {
      if (isFile) throw unsafe(name, 'has no name');
      return '';
    }
    for (let i = 1; i < segments.length; i++) this.#claim(segments.slice(0, i).join('/'), false, name);
    this.#claim(segments.join('/'), isFile, name);
    return segments.join('/');
  }

  #claim(path: string, isFile: boolean, name: string): void {
    const key = path.normalize('NFC').toLowerCase().normalize('NFC');
    const known = this.#known.get(key);
    if (known === undefined) this.#known.set(key, { path, isFile });
    else if (isFile || known.isFile || known.path !== path) {
      const why =
        known.path === path
          ? 'exists twice'
          : `has the same path as ${shown(known.path)} on file systems that ignore case`;
      throw new ArchiveError('duplicate', `The entry ${shown(name)} ${why}.`, name);
    }
  }
}
