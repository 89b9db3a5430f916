/** Characters that nobody sees, and that a model reads. */
import { hiddenClass } from '#engine/tool-outputs/hidden-text.ts';
import { isFields, type Fields } from '#mcp/json-rpc.ts';

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

/** What clients send back, or cannot read, stays as it is. */
const kept = new Set(['uri', 'uriTemplate', 'requestState', 'progressToken', 'mimeType', 'blob']);
const deepest = 64;

function seenValue(value: unknown, key: string, depth: number): unknown {
  if (typeof value === 'string') {
    inAnswers.lastIndex = 0;
    return kept.has(key) || !inAnswers.test(value) ? value : seen(value, inAnswers);
  }
  if (typeof value !== 'object' || value === null || depth > deepest) return value;
  if (Array.isArray(value)) {
    const parts = value.map((each) => seenValue(each, key, depth + 1));
    return parts.some((each, at) => each !== value[at]) ? parts : value;
  }
  return isFields(value) ? seenFields(value, depth) : value;
}

function seenFields(fields: Fields, depth: number): Fields {
  let changed = false;
  const entries = Object.entries(fields).map(([key, value]) => {
    const clean = seenValue(value, key, depth + 1);
    const shown = seen(key, inAnswers);
    const name = shown === key || shown in fields ? key : shown;
    if (clean !== value || name !== key) changed = true;
    return [name, clean] as const;
  });
  return changed ? Object.fromEntries(entries) : fields;
}

/** The message without hidden characters; the same object if it has none. */
export const withoutHidden = (message: Fields): Fields => seenFields(message, 0);
