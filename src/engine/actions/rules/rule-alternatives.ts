import { verbSenses } from '../verbs.ts';

const opening =
  /^((?:(?:please |you |agents? |the (?:agent|assistant|bot) |it )*)(?:never|do not|don't|must not|may not|should not|shall not|cannot|can't|must never|should never|avoid|refuse to|refrain from))\s+(.+)$/i;
const tailStart =
  /,?\s+(?:unless|except|without|until|if|when|whenever|while|because|only)\b|,?\s+(?:that|which|who)\s+(?:the )?(?:user|customer|request|task)\b/i;

/** Verbs that the lexicon of acts leaves out, being too general there. */
const general = new Set(['allow', 'make', 'act', 'give', 'take', 'put', 'use', 'let', 'listen']);
/** Verbs that are as often things: they begin an alternative only before a word that begins an object. */
const double = new Set(
  'access backup change charge check copy contact count email export list log mail message order patch plan post record release report request review schedule share test text trade transfer update upload view mark pay'.split(
    ' ',
  ),
);
/** Whoever or whatever does it: no verb. */
const doers = new Set('browser server scanner reader user sender printer container'.split(' '));
const objectStart =
  /^(?:a|an|the|any|all|your|our|their|his|her|its|what|who|them|it|someone|anyone|another|other|new|existing|[\w-]+s)$/;

function beginsAct(words: readonly string[]): boolean {
  const [verb = '', next = ''] = words;
  if (general.has(verb)) return words.length > 1;
  if (
    verbSenses(verb).length === 0 ||
    /(?:s|ed)$|^(?:logging|monitoring|reporting|billing|testing|training|scheduling|tracking|auditing|alerting)$/.test(
      verb,
    )
  )
    return false;
  if (doers.has(verb)) return false;
  return words.length > 1 && (!double.has(verb) || objectStart.test(next));
}

/** An act with an object of its own; "read" in "read or write files" shares the next one's. */
const isWhole = (part: string) => {
  const words = part.toLowerCase().split(/[\s,]+/);
  const isListOfActs = part.includes(',') && words.every((word) => verbSenses(word).length > 0);
  return (
    !isListOfActs &&
    words.some((word, at) => at > 0 && word !== '' && (verbSenses(word).length === 0 || double.has(word)))
  );
};

/**
 * "Never delete logs or change what was said unless …" as one prohibition for each act; undefined where there is but
 * one, or where the acts share their object.
 */
export function alternativesOf(sentence: string): string[] | undefined {
  const match = opening.exec(sentence);
  if (match === null) return undefined;
  const [, start = '', body = ''] = match;
  const tailAt = tailStart.exec(body)?.index ?? body.length;
  const tail = body.slice(tailAt);
  const parts: string[] = [];
  for (const piece of body.slice(0, tailAt).split(/,?\s+or\s+/i)) {
    const words = piece.toLowerCase().split(/[\s,]+/);
    if (parts.length === 0 || !beginsAct(words))
      parts.push(parts.length === 0 ? piece : `${parts.pop()} or ${piece}`);
    else parts.push(piece);
  }
  if (parts.length < 2 || !parts.every(isWhole)) return undefined;
  return parts.map((part) => `${start} ${part}${tail}`);
}
