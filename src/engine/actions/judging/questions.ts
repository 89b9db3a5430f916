/** Whether the user only wants to know something. */
import { type Delegation, delegationOf } from './delegation.ts';

const wondering =
  /^\W*(?:what|which|who|whose|whom|when|where|why|is|are|was|were|does|did|has|have|any|how (?:much|many|long|far|old))\b/;

/** "What did I spend", "any news": a text in lower case that begins as a question does. */
export const isQuestion = (lower: string): boolean => wondering.test(lower);

const looking = new Set(['read', 'verify', 'compute', 'print']);
const onlyLooks = (senses: ReadonlySet<string>): boolean => [...senses].every((sense) => looking.has(sense));

/** "Which is best according to the reviews": who only wants to know something hands over nothing. */
export function delegationIn(lower: string, senses: ReadonlySet<string>, namesSource: boolean): Delegation {
  const found = delegationOf(lower, namesSource);
  return found === 'open' && isQuestion(lower) && onlyLooks(senses) ? 'value' : found;
}

/** "Show me", "look at", "summarise": one clause that begins so asks for no more, whatever acts its things are named for. */
const showing =
  /^\W*(?:(?:please|pls|hey|hi|hello|quick|can you|could you|would you|bitte)[ ,:!]+)*(?:look (?:at|into|through|up)|check(?! (?:in|out)\b)|show|see|read|explain|summari[sz]e|track|view|tell me|list(?!.*\b(?:for sale|on)\b))\b/;
const furtherClause = /[,;\n]|[.!?]\s+\S|\b(?:and|then|so that|to|und|et|y|e)\b/;

/** Question words of other languages, and what asks to be shown something. */
const wonderingAbroad =
  /^\W*(?:wo|was|wann|wer|wie|welche\w*|warum|liste|zeig\w*|fasse?|où|quand|quel\w*|qui|combien|pourquoi|est-ce|qué|que|cuál\w*|cuándo|dónde|quién|cuánt\w+|hva|hvor|hvem|når|vad|var|när|wat|waar|wanneer|hoeveel|che|cosa|dove|quando|chi|quale|quanto|qual|onde|quem|kto|co|gdzie|kiedy|ile)(?![\p{L}])/u;

const asksOnce = (lower: string): boolean =>
  showing.test(lower) && !furtherClause.test(lower.replace(showing, ''));

/**
 * Whether the turns of the user only ask for something to be told or shown, so that nothing is to be done.
 * @param isUnread they are in another language than English
 */
export function onlyAsks(turns: readonly string[], senses: ReadonlySet<string>, isUnread: boolean): boolean {
  const said = turns.map((turn) => turn.toLowerCase());
  if (said.length === 0) return false;
  if (said.every(asksOnce)) return true;
  if (!onlyLooks(senses)) return false;
  return said.every((lower) =>
    isUnread ? wonderingAbroad.test(lower) : isQuestion(lower) || asksOnce(lower) || /\?\s*$/.test(lower),
  );
}
