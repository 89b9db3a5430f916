/** What a scan has not read or not understood, in sentences: a result without findings must not look like a clean one. */
import type { Coverage } from './result.ts';

export interface Unread {
  /** Source of the server that is not read: nobody knows what it does. */
  grave: string[];
  /** What lies there unread, and may be of no weight. */
  said: string[];
}

const graveReasons: Readonly<Record<string, string>> = {
  'file-too-large': 'too large',
  'too-deeply-nested': 'too deeply nested',
  'parse-error': 'not understood by the grammar of its language',
  'parse-time': 'took too long to parse',
  time: 'the time was up',
  memory: 'took too much memory',
  binary: 'named as source, and no text',
  'lfs-pointer': 'lies in Git LFS, only its pointer is here',
  unreadable: 'cannot be opened',
  'limit of files or bytes': 'beyond the limit of files or bytes',
  'loaded-and-not-readable': 'loaded or started by the project, and no source that can be read',
  'link-to-source': 'a link to source',
};
const saidReasons: Readonly<Record<string, string>> = {
  compiled: 'compiled code',
  archive: 'an archive',
  'other-language': 'in a language that is not analysed',
  link: 'a link',
  submodule: 'a submodule',
  'special-file': 'neither a file nor a folder',
};

const mostPaths = 3;

function sentencesOf(skipped: Coverage['skipped'], reasons: Readonly<Record<string, string>>): string[] {
  return Object.entries(reasons).flatMap(([reason, why]) => {
    const paths = skipped.filter((each) => each.reason === reason).map(({ path }) => path);
    if (paths.length === 0) return [];
    const more = paths.length > mostPaths ? ` and ${paths.length - mostPaths} more` : '';
    return [`Not read: ${paths.slice(0, mostPaths).join(', ')}${more} (${why}).`];
  });
}

/** What of a project was not read, by its weight. */
export const unreadIn = (coverage: Pick<Coverage, 'skipped'> | undefined): Unread => ({
  grave: sentencesOf(coverage?.skipped ?? [], graveReasons),
  said: sentencesOf(coverage?.skipped ?? [], saidReasons),
});

/** Both together. */
export const withNotSeen = (unread: Unread, more: Unread | undefined): Unread => ({
  grave: [...unread.grave, ...(more?.grave ?? [])],
  said: [...unread.said, ...(more?.said ?? [])],
});

/** What ways of the source the analysis saw and could not follow, each kind with its places. */
export function limitsIn(limits: readonly { title: string; path: string; line: number }[]): string[] {
  const titles = [...new Set(limits.map(({ title }) => title))];
  return titles.map((title) => {
    const places = limits.filter((each) => each.title === title).map(({ path, line }) => `${path}:${line}`);
    const more = places.length > mostPaths ? ` and ${places.length - mostPaths} more` : '';
    return `${title}, and what that does was not followed: ${places.slice(0, mostPaths).join(', ')}${more}.`;
  });
}

const notOffered =
  'No tool, resource or prompt was seen: how this server offers them is not understood. What its functions do was looked at, but not what an agent can reach.';

/** That a server of the protocol shows nothing of what it offers. */
export const offersUnseen = (
  { makesServer, namesProtocol }: { makesServer: boolean; namesProtocol: boolean },
  isOffering: boolean,
): Unread => ({
  grave: makesServer && !isOffering ? [notOffered] : [],
  said: !makesServer && namesProtocol && !isOffering ? [notOffered] : [],
});
