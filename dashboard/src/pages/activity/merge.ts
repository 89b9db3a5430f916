/** A page of one source, newest first. */
export interface SourcePage<Item> {
  readonly items: readonly Item[];
  /** Older items than the last one exist. */
  readonly hasMore: boolean;
  /** How far back the source was read, for a source that filters what it read; by default its last item. */
  readonly readUntil?: string;
}

export interface Merged<Item> {
  /** Newest first; complete down to the last one. */
  readonly items: readonly Item[];
  /** The exclusive end of the next page; undefined if there are no more. */
  readonly nextEnd: string | undefined;
}

const newest = (times: readonly string[]) =>
  times.reduce<string | undefined>(
    (last, time) => (last === undefined || time > last ? time : last),
    undefined,
  );

/** One millisecond later: times have that precision, and the end of a page is exclusive. */
const after = (time: string) => new Date(Date.parse(time) + 1).toISOString();

/**
 * Joins pages of several sources. Items older than the oldest one of a source that has more are left to the next
 * page, since that source may have items between them.
 */
export function merge<Item extends { readonly at: string }>(
  pages: readonly SourcePage<Item>[],
): Merged<Item> {
  const all = pages.flatMap(({ items }) => items).toSorted((a, b) => b.at.localeCompare(a.at));
  const limits = pages.flatMap(({ items, hasMore, readUntil }) => {
    const until = readUntil ?? items.at(-1)?.at;
    return hasMore && until !== undefined ? [until] : [];
  });
  const limit = newest(limits);
  if (limit === undefined) return { items: all, nextEnd: undefined };
  const complete = all.filter(({ at }) => at > limit);
  // A whole page within one millisecond is shown as it is, so that the list goes on.
  return complete.length === 0 && all.some(({ at }) => at === limit)
    ? { items: all.filter(({ at }) => at >= limit), nextEnd: limit }
    : { items: complete, nextEnd: after(limit) };
}
