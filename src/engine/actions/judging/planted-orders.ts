import { findReaderOrder } from '../../tool-outputs/reader-orders.ts';
import type { Call } from '../calls/call.ts';

/** Programs that read for people, in the languages that orders for them were met in. */
const readers =
  /\b(?:assistants?|agents?|ai|a\.i\.|bots?|chatbots?|copilots?|language models?|llms?|automated (?:tools|readers|processes)|assistent\w*|asistentes?|assistentes?|assistenti|agenten|agentes?|agenti|ki|ia)\b|アシスタント|助手|어시스턴트|ассистент\w*|помощник\w*|асистент\w*/iu;

/** Files and settings that exist to instruct agents: to write them is ordinary work. */
const instructionPlaces =
  /(?:^|[/\\])(?:agents|claude|gemini|copilot-instructions|skill)\.md$|\.cursorrules$|\.windsurfrules$|(?:^|[/\\_-])(?:system[_-]?)?(?:prompts?|skills|instructions|rules)(?:[/\\_.-]|$)/i;

const fewestCharacters = 15;
const mostCharacters = 20_000;

/** A sentence among the arguments that tells programs that read it later what to do; undefined where there is none. */
export function plantedOrder({ effects, leaves, toolName }: Call): string | undefined {
  const onlyReads = effects.size === 1 && effects.has('read');
  if (onlyReads || instructionPlaces.test(toolName)) return undefined;
  if (
    leaves.some(
      ({ key, text }) => instructionPlaces.test(key) || (text.length < 300 && instructionPlaces.test(text)),
    )
  )
    return undefined;
  for (const { text } of leaves) {
    if (text.length < fewestCharacters || !readers.test(text.slice(0, mostCharacters))) continue;
    const order = findReaderOrder(text.slice(0, mostCharacters));
    if (order !== undefined && readers.test(order.sentence)) return order.sentence;
  }
  return undefined;
}
