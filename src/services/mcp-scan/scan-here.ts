/** A scan in this process, with no service and no database: what `bulwark scan` does. */
import { open, readFile, stat } from 'node:fs/promises';
import { invalid } from '#base/errors.ts';
import { parseConfiguration, serversIn } from '#engine/mcp-servers/configurations.ts';
import { judgingOnce, scanFiles, type ScanHere, type ScanHereOptions } from './scan-files-here.ts';

export type { ScanHere } from './scan-files-here.ts';

async function isArchive(path: string): Promise<boolean> {
  await using file = await open(path);
  const head = Buffer.alloc(512);
  await file.read(head, 0, 512, 0);
  return (
    head.toString('latin1', 0, 2) === 'PK' ||
    head.readUInt16BE(0) === 0x1f8b ||
    head.toString('latin1', 257, 262) === 'ustar'
  );
}

/** Loaded where it is needed: most scans of a folder do without the network and all that speaks through it. */
const loadOnline = () => import('./scan-online-here.ts');

/**
 * Scans a folder, an archive, a source file, a repository, a configuration or a server.
 * @throws ScanFailure, AppError with a sentence for people
 */
export async function scanHere(target: string, options: ScanHereOptions): Promise<ScanHere> {
  await using stack = new AsyncDisposableStack();
  const isAddress = /^https?:\/\//i.test(target);
  if (isAddress && !URL.canParse(target)) throw invalid(`${target} is no address.`);
  if (!isAddress && (await stat(target).catch(() => undefined)) === undefined)
    throw invalid(`${target} is neither a file or folder here nor an http:// or https:// address.`);
  if (!isAddress) return await scanPath(target, options, stack);
  const { openOnline, scanAddress } = await loadOnline();
  return await scanAddress(target, openOnline(judgingOnce(), options, stack), options);
}

async function scanPath(
  path: string,
  options: ScanHereOptions,
  stack: AsyncDisposableStack,
): Promise<ScanHere> {
  const judging = judgingOnce();
  const isFolder = (await stat(path)).isDirectory();
  const isPacked = !isFolder && (await isArchive(path));
  const isConfiguration = !isFolder && !isPacked && path.endsWith('.json');
  const text = isConfiguration ? await readFile(path, 'utf8') : undefined;
  const servers = text === undefined ? undefined : serversIn(parseConfiguration(text));
  if (text !== undefined && servers !== undefined) {
    const { openOnline, scanConfiguration } = await loadOnline();
    return scanConfiguration(path, servers, text, openOnline(judging, options, stack), options);
  }
  const asksForAdvisories = options.osvApiUrl !== undefined || options.osvDbDir !== undefined;
  const tools = asksForAdvisories
    ? (await loadOnline()).openOnline(judging, options, stack)
    : { judging, advisories: undefined };
  return scanFiles(path, isPacked, tools, options);
}
