/** What a guard in front of a model would have seen of a test. */
import type { ScanCase } from '#engine/model-scan/case.ts';
import type { ChatMessage, TestedCase } from './store.ts';

/** What a guard is to judge: what users send, or what the model answers. */
export type Place = 'request' | 'reply';

/** A text with what was said before it. */
export interface Said {
  readonly text: string;
  readonly before: readonly ChatMessage[];
}

export interface Exchange {
  readonly number: number | null;
  readonly caseId: string;
  readonly isTwin: boolean;
  /** The turns of the user, then what the model answered in the end. */
  readonly said: Readonly<Record<Place, readonly Said[]>>;
}

/** Trials take time by the length of what is tried. */
export const mostCharacters = 20_000;
const mostTurns = 4;
const mostBefore = 40;

const cut = (text: string): string => text.slice(0, mostCharacters);

/** The last turns of the user: those that lead up to a request come before it. */
function requestsIn(messages: readonly ChatMessage[]): Said[] {
  return messages
    .map(({ role, content }, at) => ({ role, text: cut(content), before: messages.slice(0, at) }))
    .filter(({ role, text }) => role === 'user' && text.trim() !== '')
    .slice(-mostTurns)
    .map(({ text, before }) => ({
      text,
      before: before.slice(-mostBefore).map(({ role, content }) => ({ role, content: cut(content) })),
    }));
}

const turnsOf = ({ turns }: ScanCase): Said[] =>
  turns
    .filter((turn) => turn.trim() !== '')
    .slice(-mostTurns)
    .map((text) => ({ text: cut(text), before: [] }));

/** Of a test as it was recorded; a case that was not sent yet has its request alone. */
export function exchangeOf({ number, case: each, messages, reply }: TestedCase, twinOf?: ScanCase): Exchange {
  const hasReply = reply !== null && reply.trim() !== '';
  return {
    number,
    caseId: each.id,
    isTwin: twinOf?.twin === each.id,
    said: {
      request: messages === null ? turnsOf(each) : requestsIn(messages),
      reply: hasReply ? [{ text: cut(reply), before: [] }] : [],
    },
  };
}

/** A case of the product that the scan does not have. */
export const unsent = (each: ScanCase): Exchange => ({
  number: null,
  caseId: each.id,
  isTwin: false,
  said: { request: turnsOf(each), reply: [] },
});
