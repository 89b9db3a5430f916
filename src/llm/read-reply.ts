/** Parses a model's reply: strips reasoning, finds JSON, detects refusals. */

const reasoningBlock = /<(think|thinking|reasoning)>[\s\S]*?(?:<\/\1>|$)/gi;
/** Some chat templates open the block, so that the answer contains only its end. */
const reasoningHead = /^[\s\S]*?<\/(?:think|thinking|reasoning)>/i;

/** The answer without its reasoning. */
export const withoutReasoning = (text: string): string =>
  text.replaceAll(reasoningBlock, '').replace(reasoningHead, '').trim();

const refusal =
  /^\W*(?:(?:i['’]?m|i am) (?:really |very |so )?sorry\b|sorry,? (?:but )?i\b|i (?:cannot|can['’]?t|can not|won['’]?t|will not|am unable to|['’]?m unable to|must decline|refuse)\b|i['’]m (?:not able|unable) to\b|unfortunately,? i (?:cannot|can['’]?t)\b|as an ai\b)/i;

/** Whether a text is a refusal. */
export const isRefusal = (text: string): boolean => refusal.test(text);

/** A string that is not closed goes to the end, also where that is half an escape: it is not read again from each quote. */
const jsonMark = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[{}[\]]/gs;

/** Where the JSON value that begins at `from` ends; -1 when it does not. */
function endOfJson(text: string, from: number): number {
  let depth = 0;
  for (const { 0: mark, index } of text.slice(from).matchAll(jsonMark)) {
    if (mark === '{' || mark === '[') depth++;
    else if (mark === '}' || mark === ']') depth--;
    if (depth === 0) return from + index + 1;
  }
  return -1;
}

/** Maximum candidate positions. */
const mostOpenings = 20;

/** The first JSON object or array in a text, ignoring code fences and prose; undefined if there is none. */
export function findJson(text: string): unknown {
  const whole = parsed(text);
  if (typeof whole === 'object' && whole !== null) return whole;
  let tried = 0;
  for (const { index } of text.matchAll(/[{[]/g)) {
    if (++tried > mostOpenings) return undefined;
    const end = endOfJson(text, index);
    const value = end < 0 ? undefined : parsed(text.slice(index, end));
    if (typeof value === 'object' && value !== null) return value;
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
