import type { Frame } from './frame.ts';
import type { Source } from './taints.ts';
import { isTainted, type Value } from './value.ts';

/** Names of entries as libraries of archives give them: whoever made the archive chose them. */
const entryNames = new RegExp(
  [
    String.raw`adm-zip\(\).*(?:entryName|rawEntryName)`,
    String.raw`jszip\b.*\.files\.keys\(\)\[\]`,
    String.raw`(?:unzipper|yauzl|tar-stream|node-stream-zip|jszip|fflate|decompress)\b.*(?:fileName|path|entryName|name)`,
    String.raw`zipfile\.ZipFile\(\).*(?:namelist\(\)\[\]|infolist\(\)\[\]\.filename)`,
    String.raw`tarfile\.open\(\).*(?:getmembers\(\)\[\]\.name|getnames\(\)\[\]|\[\]\.name)`,
    String.raw`(?:zip\.OpenReader|zip\.NewReader)\(\)\.File\[\]\.Name`,
    String.raw`tar\.NewReader\(\)\.Next\(\)\.Name`,
    String.raw`(?:ZipInputStream|ZipFile|TarArchiveInputStream|JarFile)\(\).*\.getName\(\)`,
    String.raw`ZipArchive\.new\(\).*\.name\(\)`,
  ]
    .map((each) => `(?:${each})`)
    .join('|')
    .replace(/^(.*)$/, '(?:^|[.?])(?:$1)$'),
);

/** One source for all entries of archives: what is safe for one is safe for the others. */
const source: Source = { id: -1, kind: 'archive', name: '', description: '' };

/** The name of an entry of an archive with its taint, as input of its own; other values as they are. */
export function withArchiveTaint(
  value: Value,
  frame: Frame,
  { at, end }: { at: number; end: number },
): Value {
  if (value.ref === undefined || isTainted(value) || !entryNames.test(value.ref)) return value;
  const step = { module: frame.module, at, end, text: '', before: undefined, count: 0 };
  return { ...value, taints: [{ source, cleared: 0, step }] };
}
