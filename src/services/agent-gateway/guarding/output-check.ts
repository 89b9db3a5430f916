/** Detects instructions to the agent in what servers answer. */
import { LRUCache } from 'lru-cache';
import { yieldToEventLoop } from '#base/yield-to-event-loop.ts';
import type { TextEngine } from '#engine/text/engine.ts';
import { findOrder } from '#engine/tool-outputs/find-order.ts';
import { hasHidden, hiddenTexts, withGaps } from '#engine/tool-outputs/hidden-text.ts';
import { hasLoudWord } from '#engine/tool-outputs/loud-words.ts';
import { piecesOf } from '#engine/tool-outputs/pieces.ts';
import { mended, readingsOf } from '#engine/tool-outputs/readings.ts';
import { introductionOf, textsOf } from './texts.ts';

export interface OutputFinding {
  /** `high` is withheld where the output guard blocks; `medium` is marked and passed on. */
  readonly tier: 'high' | 'medium';
  readonly probability: number;
  readonly reason: string;
  /** It was not read, because it is too long or too deep: nothing is known of what it says. */
  readonly isUnread?: true;
}

/**
 * Reads every text of the message. Undefined if nothing was found.
 * @param unread takes up what was not read, such as pictures
 */
export type OutputCheck = (message: unknown, unread?: string[]) => Promise<OutputFinding | undefined>;

/** The detector of prompt injection was made for chats: among tool results it must be nearly sure. */
const withheldFrom = 0.97;
const markedFrom = 0.8;
/** Longer messages are not read, and therefore withheld: judging them would take seconds. */
const maxCharacters = 1_000_000;
const shownCharacters = 200;

/** Behind a redacted value, or before it: never within its mark. */
const cutMark = /\[[A-Z_]{0,40}(?::[\da-f]{0,12})?$/u;
const shortened = (text: string): string =>
  text.length <= shownCharacters ? text : text.slice(0, shownCharacters).replace(cutMark, '');

const visible = (text: string): string =>
  shortened(text).replaceAll(/[\p{Cf}\p{Cc}]/gu, (sign) =>
    sign === '\n' || sign === '\t' ? ' ' : `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`,
  );

const stronger = (a: OutputFinding | undefined, b: OutputFinding | undefined): OutputFinding | undefined =>
  a === undefined || (b !== undefined && a.tier === 'medium' && b.tier === 'high') ? b : a;

/** Uses the built-in detector of prompt injection, and the judge of texts that speak to their reader. */
export function createOutputCheck(engine: TextEngine): OutputCheck {
  const detector = engine.compile({
    name: 'Prompt injection and instruction override',
    description: '',
    blockActivities: [],
    safeActivities: [],
    detector: 'prompt-injection',
  });

  const byReader = (text: string): OutputFinding | undefined => {
    const order = findOrder(text);
    return (
      order && {
        tier: order.tier,
        probability: order.score,
        reason: `It tells the program that reads it what to do: “${visible(order.sentence)}”.`,
      }
    );
  };

  const byDetector = async (text: string): Promise<OutputFinding | undefined> => {
    const analysis = await engine.analyseInTurns(text);
    const score = engine.score(analysis, detector);
    if (score.probability < markedFrom) return undefined;
    const reason = engine.explain(analysis, [{ name: 'prompt injection', score }]);
    return {
      tier: score.probability >= withheldFrom ? 'high' : 'medium',
      probability: score.probability,
      reason: reason ?? 'It reads like instructions to the agent.',
    };
  };

  const readVisible = async (raw: string): Promise<OutputFinding | undefined> => {
    const piece = mended(raw);
    let found = byReader(piece);
    // Where this says so the detector finds nothing and there is one way to read the piece, as with most short answers.
    if (found?.tier === 'high' || (!hasLoudWord(piece) && engine.readsPlainly(piece))) return found;
    for (const reading of readingsOf(piece)) found = stronger(found, byReader(reading));
    return found?.tier === 'high' ? found : stronger(found, await byDetector(piece));
  };

  /** An order that is there only for a reader of hidden characters was hidden from people: that is clear. */
  const readHidden = async (raw: string): Promise<OutputFinding | undefined> => {
    for (const text of hiddenTexts(raw)) {
      const order = byReader(text) ?? (await byDetector(text));
      if (order !== undefined) return { ...order, tier: 'high' };
    }
    const found = await readVisible(raw);
    if (found?.tier !== 'medium') return found;
    return (await readVisible(withGaps(raw))) === undefined ? { ...found, tier: 'high' } : found;
  };

  const readPiece = (raw: string): Promise<OutputFinding | undefined> =>
    hasHidden(raw) ? readHidden(raw) : readVisible(raw);

  const read = async (message: unknown, unread: string[] = []): Promise<OutputFinding | undefined> => {
    const { texts, characters, cut, unread: skipped } = textsOf(message);
    unread.push(...skipped);
    if (characters === 0) return undefined;
    if (cut || characters > maxCharacters)
      return {
        tier: 'high',
        probability: 1,
        isUnread: true,
        reason: cut
          ? 'It nests deeper, or has more parts, than is read.'
          : `It has ${characters} characters; more than ${maxCharacters} are not read.`,
      };
    let found: OutputFinding | undefined;
    // A sentence may be split between texts, such as the cells of a table.
    for (const piece of piecesOf(texts.join('\n'))) {
      await yieldToEventLoop();
      found = stronger(found, await readPiece(piece));
      if (found?.tier === 'high') return found;
    }
    return found;
  };

  const introductions = new LRUCache<string, { readonly finding: OutputFinding | undefined }>({
    max: 1000,
    maxSize: 1_000_000,
    sizeCalculation: (_, text) => text.length + 1,
  });
  /** A server says the same of itself in each answer, so it is read once. */
  const readIntroduction = async (introduction: unknown): Promise<OutputFinding | undefined> => {
    const key = JSON.stringify(introduction);
    const known = introductions.get(key);
    if (known !== undefined) return known.finding;
    const finding = await read(introduction);
    introductions.set(key, { finding });
    return finding;
  };

  return async (message, unread) => {
    const introduction = introductionOf(message);
    const ofServer = introduction === undefined ? undefined : await readIntroduction(introduction);
    return ofServer?.tier === 'high' ? ofServer : stronger(ofServer, await read(message, unread));
  };
}
