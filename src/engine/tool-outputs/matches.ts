const none: readonly RegExpExecArray[] = [];

/** What `matchAll` finds, without the copy that it makes of the pattern, where nothing is found: as in most texts. */
export const matchesOf = (text: string, pattern: RegExp): Iterable<RegExpExecArray> =>
  text.search(pattern) === -1 ? none : text.matchAll(pattern);
