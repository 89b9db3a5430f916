/** Detects instructions to the agent in what servers answer. */
import { LRUCache } from 'lru-cache';
import { hasTimeLeft, yieldToEventLoop } from '#base/yield-to-event-loop.ts';
import type { TextEngine } from '#engine/text/engine.ts';
import { findOrder } from '#engine/tool-outputs/find-order.ts';
import { hasHidden, hiddenTexts, withGaps } from '#engine/tool-outputs/hidden-text.ts';
import { hasLoudWord } from '#engine/tool-outputs/loud-words.ts';
import { piecesOf } from '#engine/tool-outputs/pieces.ts';
import { findOverrideOrder } from '#engine/tool-outputs/override-orders.ts';
import type { ReaderOrder } from '#engine/tool-outputs/reader-orders.ts';
import { columnsOf, mended, readingsOf } from '#engine/tool-outputs/readings.ts';
import { introductionOf, textsOf } from './texts.ts';

export interface OutputFinding {
  /** `high` is withheld where the output guard blocks; `medium` is marked and passed on. */
  readonly tier: 'high' | 'medium';
  readonly probability: number;
  readonly reason: string;
  /** It was not read, because it is too long or too deep: nothing is known of what it says. */
  readonly isUnread?: true;
}

type Found = OutputFinding | undefined;

/**
 * Reads every text of the message: at once where it is short and plain, as most answers are. Undefined if nothing was
 * found.
 * @param unread takes up what was not read, such as pictures
 */
export type OutputCheck = (message: unknown, unread?: string[]) => Found | Promise<Found>;

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

const stronger = (a: Found, b: Found): Found =>
  a === undefined || (b !== undefined && a.tier === 'medium' && b.tier === 'high') ? b : a;

const foundOrder = ({ tier, score, sentence }: ReaderOrder): OutputFinding => ({
  tier,
  probability: score,
  reason: `It tells the program that reads it what to do: “${visible(sentence)}”.`,
});

/** Uses the built-in detector of prompt injection, and the judge of texts that speak to their reader. */
export function createOutputCheck(engine: TextEngine): OutputCheck {
  const detector = engine.compile({
    name: 'Prompt injection and instruction override',
    description: '',
    blockActivities: [],
    safeActivities: [],
    detector: 'prompt-injection',
  });

  const byReader = (text: string): Found => {
    const order = findOrder(text);
    return order && foundOrder(order);
  };

  /** Joined cells are no sentences, so only what is always an order counts there. */
  const inColumns = (text: string): Found => {
    for (const column of columnsOf(text)) {
      const order = findOverrideOrder(column);
      if (order !== undefined) return foundOrder({ score: 1, tier: 'high', sentence: order });
    }
    return undefined;
  };

  const byDetector = async (text: string): Promise<Found> => {
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

  const readVisible = (raw: string): Found | Promise<Found> => {
    const piece = mended(raw);
    let found = byReader(piece);
    // Where this says so the detector finds nothing and there is one way to read the piece, as with most short answers.
    if (found?.tier === 'high' || (!hasLoudWord(piece) && engine.readsPlainly(piece))) return found;
    for (const reading of readingsOf(piece)) found = stronger(found, byReader(reading));
    found = stronger(found, inColumns(piece));
    return found?.tier === 'high' ? found : byDetector(piece).then((each) => stronger(found, each));
  };

  /** An order that is there only for a reader of hidden characters was hidden from people: that is clear. */
  const readHidden = async (raw: string): Promise<Found> => {
    for (const text of hiddenTexts(raw)) {
      const order = byReader(text) ?? (await byDetector(text));
      if (order !== undefined) return { ...order, tier: 'high' };
    }
    const found = await readVisible(raw);
    if (found?.tier !== 'medium') return found;
    return (await readVisible(withGaps(raw))) === undefined ? { ...found, tier: 'high' } : found;
  };

  const readPiece = (raw: string): Found | Promise<Found> =>
    hasHidden(raw) ? readHidden(raw) : readVisible(raw);

  const readPieces = async (pieces: readonly string[]): Promise<Found> => {
    let found: Found;
    for (const piece of pieces) {
      await yieldToEventLoop();
      found = stronger(found, await readPiece(piece));
      if (found?.tier === 'high') return found;
    }
    return found;
  };

  const read = (message: unknown, unread: string[] = []): Found | Promise<Found> => {
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
    // A sentence may be split between texts, such as the cells of a table.
    const pieces = [...piecesOf(texts.join('\n'))];
    const [piece = ''] = pieces;
    return pieces.length === 1 && hasTimeLeft() ? readPiece(piece) : readPieces(pieces);
  };

  const introductions = new LRUCache<string, { readonly finding: OutputFinding | undefined }>({
    max: 1000,
    maxSize: 1_000_000,
    sizeCalculation: (_, text) => text.length + 1,
  });
  /** A server says the same of itself in each answer, so it is read once. */
  const readIntroduction = (introduction: unknown): Found | Promise<Found> => {
    const key = JSON.stringify(introduction);
    const known = introductions.get(key);
    return known === undefined ? readNewIntroduction(key, introduction) : known.finding;
  };
  const readNewIntroduction = async (key: string, introduction: unknown): Promise<Found> => {
    const finding = await read(introduction);
    introductions.set(key, { finding });
    return finding;
  };

  const readBehind = (ofServer: Found, message: unknown, unread?: string[]): Found | Promise<Found> => {
    if (ofServer?.tier === 'high') return ofServer;
    const found = read(message, unread);
    return found instanceof Promise
      ? found.then((each) => stronger(ofServer, each))
      : stronger(ofServer, found);
  };

  return (message, unread) => {
    const introduction = introductionOf(message);
    const ofServer = introduction === undefined ? undefined : readIntroduction(introduction);
    return ofServer instanceof Promise
      ? ofServer.then((each) => readBehind(each, message, unread))
      : readBehind(ofServer, message, unread);
  };
}
