/** Whose yes a part of a sentence asks for. */
import type { Expression } from '../../rule-form.ts';

const consent =
  /\b(?:approv\w*|sign(?:ed|s)?[- ]?off|signatures?|consent\w*|permission|authori[sz]\w*|agree[sd]?|agreement|green light|okay|ok|clearance|released? by|countersign\w*|say[- ]so|go[- ]ahead|decision|decides?|blessing)\b/;
const byWhom =
  /\b(?:by|from|of)\s+(?:the |a |an |our |my |your |their |two |both )*([a-z' -]{2,40}?)(?:$|,|\band\b|\bor\b|\bin\b|\bon\b|\bfor\b|\bhas\b|\bhave\b)|\b(?:the |a |an |our |my )?([a-z-]{2,20}(?: [a-z-]{2,20})?)'s?\s+(?:\w+ )?(?:approval|sign|consent|permission|authori|agreement|decision|signature|okay|ok|yes|go)/;
const noWho = /^(?:written|prior|explicit|express|it|them|this|that|these|charge|course|date|day)$/;
const asker =
  /\b(?:user|customer|client|traveller|traveler|guest|subscriber|holder|tenant|patient|me|them)\b/;
const asksUser = /\b(?:ask|confirm\w*|consent\w*|agree[sd]?)\b/;

/** Whose yes is asked for; empty where it is anybody's. */
function approversIn(text: string): string[] {
  const found = byWhom.exec(text);
  const who = (found?.[1] ?? found?.[2] ?? '').trim();
  return who === '' || noWho.test(who) ? [] : [who];
}

/**
 * The yes that a need asks for; undefined where it asks for none. The user's own yes stands in the conversation. The yes
 * of anybody else is an approval under a checked identity, or stands in a tool's answer.
 * @param words by which it may be on record
 */
export function consentOf(text: string, words: readonly string[]): Expression | undefined {
  if (!consent.test(text)) return undefined;
  const by = approversIn(text);
  const isUser = by.length > 0 ? by.every((who) => asker.test(who)) : asksUser.test(text);
  const given: Expression = isUser
    ? { is: 'approval', from: 'user_words' }
    : { is: 'approval', ...(by.length > 0 && { by }), from: 'checked' };
  return words.length === 0 ? given : { any: [given, { is: 'on_record', words }] };
}
