/** Reading what a model wrote: its reasoning put aside, its JSON found, its refusals known. */

const reasoningBlock = /<(think|thinking|reasoning)>[\s\S]*?(?:<\/\1>|$)/gi;
/** Templates that open the block themselves leave only its end in the answer. */
const reasoningHead = /^[\s\S]*?<\/(?:think|thinking|reasoning)>/i;

/** The answer without its reasoning. */
export const withoutReasoning = (text: string): string =>
  text.replaceAll(reasoningBlock, '').replace(reasoningHead, '').trim();

const refusal =
  /^\W*(?:(?:i['’]?m|i am) (?:really |very |so )?sorry\b|sorry,? (?:but )?i\b|i (?:cannot|can['’]?t|can not|won['’]?t|will not|am unable to|['’]?m unable to|must decline|refuse)\b|i['’]m (?:not able|unable) to\b|unfortunately,? i (?:cannot|can['’]?t)\b|as an ai\b)/i;

/** Whether a free text says no. */
export const isRefusal = (text: string): boolean => refusal.test(text);

const jsonMark = /"(?:[^"\\]|\\.)*(?:"|$)|[{}[\]]/gs;

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

/** How many openings are tried in a text that is full of them. */
const mostOpenings = 20;

/** The first object or list of JSON in a free text, with its code fence and its talk around it; undefined for none. */
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
