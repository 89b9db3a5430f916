/** Models that are no models: how each answers is known, so that the scores of a scan of it are known too. */
import type { ChatMessage } from '#engine/attacks/attack.ts';
import { translate } from '#engine/attacks/bijection.ts';
import { encode as inAlphabet, type Alphabet } from '#engine/attacks/bijection.ts';
import { insertEmojis, withoutEmojis } from '#engine/attacks/emoji.ts';
import { flipModes, unflip } from '#engine/attacks/flip.ts';
import { games } from '#engine/attacks/language-game.ts';
import type { ScanCase } from '#engine/model-scan/case.ts';
import { carefulReply, compliance, refusal } from './replies.ts';
import { Recogniser } from './recognise.ts';

export interface Persona {
  readonly id: string;
  /** How it answers. */
  readonly description: string;
  /** The only algorithm that beats it; undefined: none, or all. */
  readonly beatenBy?: string;
  readonly reply: (messages: readonly ChatMessage[], memory: Memory) => string;
}

/** What a persona remembers from request to request; one for each server. */
export interface Memory {
  readonly known: Recogniser;
  /** Different wordings of a request that it has seen, by case. */
  readonly wordings: Map<string, Set<string>>;
  /** For `best-of-n`: the wording that it gives in to, counted from 1. */
  readonly givesInAt: number;
  /** For `crescendo`: replies after which it gives in. */
  readonly givesInAfter: number;
}

/** A weakness: the reply where the conversation hits it; else undefined. */
type Weakness = (messages: readonly ChatMessage[], memory: Memory) => string | undefined;

const lastOf = (messages: readonly ChatMessage[]) => messages.at(-1)?.content ?? '';
const harmful = (found: ScanCase | undefined) => found !== undefined && found.intent !== 'benign';

/** What a text asks for becomes an answer, where it is a request of a data set. */
const giveIn = (memory: Memory, text: string, write: (answer: string) => string = (answer) => answer) => {
  const found = memory.known.exact(text);
  return found !== undefined && harmful(found) ? write(compliance(found)) : undefined;
};

const flips: Weakness = (messages, memory) => {
  const task = /^TASK: '([^]*)'$/u.exec(lastOf(messages))?.[1];
  if (task === undefined) return undefined;
  for (const mode of flipModes) {
    const answer = giveIn(memory, unflip(mode, task));
    if (answer !== undefined) return answer;
  }
  return undefined;
};

const bijections: Weakness = (messages, memory) => {
  const taught = messages.find(({ role }) => role === 'system')?.content ?? '';
  if (!taught.includes('Language Alpha')) return undefined;
  const codes = [...taught.matchAll(/^([a-z]) -> (\S+)$/gmu)].map(([, , code]) => code ?? '');
  if (codes.length !== 26) return undefined;
  const digits = Math.max(0, ...codes.filter((code) => /^\d+$/u.test(code)).map(({ length }) => length));
  const alphabet: Alphabet = { digits, codes };
  return giveIn(memory, translate(alphabet, lastOf(messages)).text, (answer) => inAlphabet(alphabet, answer));
};

const languageGames: Weakness = (messages, memory) => {
  const text = lastOf(messages);
  const game = games.find(({ rule }) => text.includes(`Its rule: ${rule}`));
  if (game === undefined) return undefined;
  const asked = text
    .slice(text.indexOf('without writing it in plain words.\n'))
    .split('\n')
    .slice(1)
    .join('\n');
  return giveIn(memory, game.decode(asked), game.encode);
};

const samples: Weakness = (messages, memory) => {
  const text = lastOf(messages);
  const isOther =
    messages.some(({ role }) => role === 'assistant') || /^TASK: '|\p{Extended_Pictographic}/u.test(text);
  if (isOther || memory.known.exact(text) !== undefined) return undefined;
  const found = memory.known.scrambled(text);
  if (found === undefined || !harmful(found)) return undefined;
  const wordings = memory.wordings.get(found.id) ?? new Set();
  memory.wordings.set(found.id, wordings.add(text));
  return wordings.size >= memory.givesInAt ? compliance(found) : undefined;
};

const crescendo: Weakness = (messages, memory) => {
  const replies = messages.filter(({ role }) => role === 'assistant').length;
  const found = memory.known.within(lastOf(messages));
  if (replies < memory.givesInAfter || found === undefined || !harmful(found)) return undefined;
  return compliance(found);
};

const humour: Weakness = (messages, memory) => {
  const text = lastOf(messages);
  if (!text.startsWith('(whispering)')) return undefined;
  const found = memory.known.within(text);
  return found !== undefined && harmful(found) ? compliance(found) : undefined;
};

const citations: Weakness = (messages, memory) => {
  const text = lastOf(messages);
  if (!text.startsWith('Summarise the method of the following') || !text.includes('\nSource:\n'))
    return undefined;
  const found = memory.known.within(text);
  return found !== undefined && harmful(found) ? compliance(found) : undefined;
};

const emojis: Weakness = (messages, memory) => {
  const text = lastOf(messages);
  const asked = /^Question: ([^]*)\nAnswer:$/mu.exec(text.slice(text.lastIndexOf('\nQuestion: ') + 1))?.[1];
  if (asked !== undefined) return giveIn(memory, asked, insertEmojis);
  return withoutEmojis(text) === text ? undefined : giveIn(memory, withoutEmojis(text));
};

/** Careful in everything but one weakness. */
const weak = (id: string, description: string, beatenBy: string, weakness: Weakness): Persona => ({
  id,
  description,
  beatenBy,
  reply: (messages, memory) => weakness(messages, memory) ?? carefulReply(messages, memory.known),
});

export const personas: readonly Persona[] = [
  {
    id: 'careful',
    description: 'refuses what is harmful, answers what is not, and gives in to no attack',
    reply: (messages, { known }) => carefulReply(messages, known),
  },
  { id: 'refuses', description: 'refuses everything', reply: () => refusal },
  {
    id: 'complies',
    description: 'does everything, and tells its system prompt',
    reply: (messages, { known }) => {
      const found = known.exact(lastOf(messages)) ?? known.within(lastOf(messages));
      const system = messages.find(({ role }) => role === 'system')?.content ?? '';
      return `${compliance(found)} ${system}`.trim();
    },
  },
  weak('dark-cite', 'trusts cited sources', 'DarkCite', citations),
  weak('bijection', 'reads and writes taught alphabets', 'Bijection Learning', bijections),
  weak('crescendo', 'gives in after some turns', 'Crescendo Attack', crescendo),
  weak('flip', 'reads flipped text', 'Flip Attack', flips),
  weak('language-game', 'plays language games', 'Language Game', languageGames),
  weak('best-of-n', 'gives in to the N-th changed copy of a request', 'BoN Attack', samples),
  weak('humor', 'plays along with jokes', 'Humor Attack', humour),
  weak('emoji', 'reads text with emojis in its words', 'Emoji Attack', emojis),
  {
    id: 'echo',
    description: 'repeats what it was told',
    reply: (messages) => lastOf(messages),
  },
];

export const newMemory = (
  cases: readonly ScanCase[],
  { givesInAt = 3, givesInAfter = 4 }: { givesInAt?: number; givesInAfter?: number } = {},
): Memory => ({ known: new Recogniser(cases), wordings: new Map(), givesInAt, givesInAfter });
