import type { Clock } from '#base/clock.ts';
import type { Queries } from '#base/db/database.ts';
import { LiveCache, loadEach } from '#base/db/live-cache.ts';
import { longestAllowed, longestMatched } from '../../contract/allow-list.ts';
import { foldText } from '../../library/fold-text.ts';
import type { Guard } from '../guard.ts';
import { compilePattern, type Pattern } from './pattern.ts';
import { listEntries, type AllowedEntry } from './store.ts';

const maxLists = 10_000;
/** Of all lists in memory together. */
const maxCharacters = 20_000_000;

/** Allow-lists as judging sees them: read once for each version of a guard, then in memory. */
export interface AllowLists {
  /** The id of the entry that lets the text pass. */
  find(guard: Guard, text: string): Promise<string | undefined>;
  /** Whether an entry may let a text pass that begins so. */
  mayFind(guard: Guard, beginning: string): Promise<boolean>;
}

interface Until {
  readonly entryId: string;
  readonly endsMs: number;
}

/** What comes next may change the last character, and the marks on it. */
const settled = (folded: string) => folded.replace(/\P{M}\p{M}*$/u, '');

interface LiveList {
  readonly exact: ReadonlyMap<string, Until>;
  readonly patterns: readonly (Until & { pattern: Pattern })[];
  readonly characters: number;
}

const untilOf = ({ entryId, expiresAt }: AllowedEntry): Until => ({
  entryId,
  endsMs: expiresAt?.getTime() ?? Infinity,
});

function liveList(entries: readonly AllowedEntry[]): LiveList {
  const exact = new Map<string, Until>();
  for (const entry of entries.filter(({ kind }) => kind === 'exact')) {
    const folded = foldText(entry.content);
    const until = untilOf(entry);
    // Of two that read alike, the one that lasts longer.
    if (until.endsMs > (exact.get(folded)?.endsMs ?? 0)) exact.set(folded, until);
  }
  return {
    exact,
    patterns: entries
      .filter(({ kind }) => kind === 'pattern')
      .map((entry) => ({ ...untilOf(entry), pattern: compilePattern(entry.content) })),
    characters: entries.reduce((sum, { content }) => sum + content.length, 100),
  };
}

export function createLiveAllowLists(db: Queries, clock: Clock): AllowLists {
  // The allow-list of one version of a guard never changes, so it needs no invalidation.
  const lists = new LiveCache<LiveList>({
    maxEntries: maxLists,
    maxSize: maxCharacters,
    sizeOf: ({ characters }) => characters,
    ttlMs: Infinity,
    load: loadEach(async (key) => liveList(await listEntries(db, key.slice(0, key.indexOf(' '))))),
  });

  const listOf = async ({ guardUuid, version }: Guard): Promise<LiveList> => {
    const list = await lists.get(`${guardUuid} ${version}`);
    if (list === undefined) throw new Error('An allow-list was not read.');
    return list;
  };

  return {
    async find(guard, text) {
      const { exact, patterns } = await listOf(guard);
      if (text.length > longestAllowed || exact.size + patterns.length === 0) return undefined;
      const folded = foldText(text);
      const nowMs = clock.now();
      const same = exact.get(folded);
      if (same !== undefined && same.endsMs > nowMs) return same.entryId;
      if (folded.length > longestMatched) return undefined;
      return patterns.find(({ pattern, endsMs }) => endsMs > nowMs && pattern.matches(folded))?.entryId;
    },
    async mayFind(guard, beginning) {
      const { exact, patterns } = await listOf(guard);
      if (beginning.length > longestAllowed || exact.size + patterns.length === 0) return false;
      const folded = settled(foldText(beginning));
      const nowMs = clock.now();
      for (const [text, { endsMs }] of exact) if (endsMs > nowMs && text.startsWith(folded)) return true;
      if (folded.length > longestMatched) return false;
      return patterns.some(({ pattern, endsMs }) => endsMs > nowMs && pattern.mayGoOn(folded));
    },
  };
}
