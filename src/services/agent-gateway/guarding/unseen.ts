/** Characters that nobody sees, and that a model reads. */
import { deepestJson } from '#base/json-depth.ts';
import { hiddenClass } from '#engine/tool-outputs/hidden-text.ts';
import { isFields, type Fields } from '#mcp/json-rpc.ts';
import { freeName } from './free-name.ts';
import { messagePlace, placeUnder, type Place } from './places.ts';

const inAnswers = new RegExp(`[${hiddenClass}]`, 'gu');
/** Definitions have no codes of terminals and no hyphens for the end of a line either. */
const inDefinitions = new RegExp(
  String.raw`[${hiddenClass}\u00AD\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]`,
  'gu',
);
/** Flags of regions are spelled with tag characters after a black flag. */
const flags = /\u{1F3F4}[\u{E0020}-\u{E007E}]{1,7}\u{E007F}/gu;

function seen(text: string, unseen: RegExp): string {
  const kept: string[] = [];
  const marked = text.replaceAll(flags, (flag) => {
    kept.push(flag);
    return `\uF8FF${kept.length - 1}\uF8FF`;
  });
  const clean = marked.replaceAll(unseen, '');
  return kept.length === 0
    ? clean
    : clean.replaceAll(/\uF8FF(\d+)\uF8FF/g, (_, at: string) => kept[Number(at)] ?? '');
}

/** The definition's text without characters that nobody sees. */
export const seenInDefinition = (text: string): string => seen(text, inDefinitions);

/** What clients send back stays as it is. */
const isSentBack = (place: Place | undefined): boolean =>
  place?.kind === 'address' || place?.kind === 'opaque';

function seenValue(value: unknown, place: Place | undefined, depth: number): unknown {
  if (typeof value === 'string') {
    inAnswers.lastIndex = 0;
    return isSentBack(place) || !inAnswers.test(value) ? value : seen(value, inAnswers);
  }
  if (typeof value !== 'object' || value === null || depth > deepestJson) return value;
  if (Array.isArray(value)) {
    const parts = value.map((each) => seenValue(each, place, depth + 1));
    return parts.some((each, at) => each !== value[at]) ? parts : value;
  }
  return isFields(value) ? seenFields(value, place, depth) : value;
}

function seenFields(fields: Fields, place: Place | undefined, depth: number): Fields {
  let changed = false;
  const clean = new Map<string, unknown>();
  for (const [key, value] of Object.entries(fields)) {
    const shownValue = seenValue(value, placeUnder(place, key), depth + 1);
    const shown = seen(key, inAnswers);
    if (shownValue !== value || shown !== key) changed = true;
    clean.set(shown === key ? key : freeName(shown, fields, clean), shownValue);
  }
  return changed ? Object.fromEntries(clean) : fields;
}

/**
 * The message without hidden characters; the same object if it has none.
 * @param place what of the protocol it is
 */
export const withoutHidden = (message: Fields, place: Place = messagePlace): Fields =>
  seenFields(message, place, 0);
