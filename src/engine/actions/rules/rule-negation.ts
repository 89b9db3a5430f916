/** Words that forbid. */
export const prohibition =
  /\b(?:never|(?:do|does|did|must|may|should|shall|can|will|is|are)(?: not|n't)|cannot|can't|mustn't|shouldn't|no(?= )|avoid|refuse|forbidden|prohibited|not (?:allowed|permitted|be|acceptable)|disallowed|banned|den(?:y|ied)|block(?:ed)?|rejected|refused|prevent|refrain|stop|reject|don't|off[- ]limits|not)\b/i;

/** What is forbidden, without the words that forbid it. */
export const stripNegation = (text: string) =>
  text
    .replace(/^\s*(?:deny|block|prevent|reject|stop)\b/i, ' ')
    .replace(
      /\b(?:it is |is |are )?(?:strictly |expressly )?(?:forbidden|prohibited|not allowed|not permitted|disallowed|banned|off[- ]limits)(?: to)?\b/gi,
      ' ',
    )
    .replace(
      /\b(?:never|do not|don't|must not|may not|should not|shall not|cannot|can't|avoid|refuse to|refrain from|no|attempts? to|any attempt to)\b/gi,
      ' ',
    );
