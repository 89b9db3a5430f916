/** Words in the pictures of one video: found, read, judged; each text once while it stays. */
import { textLikeness } from '#engine/video/text-likeness.ts';
import type { Region } from '#engine/video/text-regions.ts';
import type { TimedPicture } from '#engine/video/picture.ts';
import type { Evidence, Note } from '../detectors/detector.ts';
import type { WordsJudge } from '../detectors/judge-words.ts';
import type { WordReader } from '../detectors/read-words.ts';

interface Shown {
  readonly fingerprint: string;
  endSeconds: number;
  readonly startSeconds: number;
  /** What was found in it, which lasts as long as it is shown. */
  readonly found: { endSeconds: number }[];
}

/** Pictures that may wait to be read, of some 700 kB each; beyond, the decoder waits. */
const mostWaiting = 16;
/** Of a stream, which does not wait. */
const mostWaitingLive = 3;
/** Pictures that were not read because time ran short are counted, and told. */
const mostReadings = 900;

export class WordsInPicture {
  readonly #reader: WordReader;
  readonly #judge: WordsJudge;
  readonly #everySeconds: number;
  readonly #signal: AbortSignal;
  readonly #waiting = new Set<Promise<void>>();
  readonly #evidence: Evidence[] = [];
  readonly #onEvidence: (evidence: Evidence) => void;
  readonly #mostReadings: number;
  #shown: Shown | undefined;
  #readings = 0;
  #unread = 0;
  #looked = 0;
  #unreadable = 0;
  #failure: string | undefined;

  constructor(
    deps: { readonly reader: WordReader; readonly judge: WordsJudge },
    settings: {
      readonly everySeconds: number;
      readonly signal: AbortSignal;
      readonly onEvidence: (evidence: Evidence) => void;
      /** Of the whole video; default: {@link mostReadings}. */
      readonly mostReadings?: number;
    },
  ) {
    this.#reader = deps.reader;
    this.#judge = deps.judge;
    this.#everySeconds = settings.everySeconds;
    this.#signal = settings.signal;
    this.#onEvidence = settings.onEvidence;
    this.#mostReadings = settings.mostReadings ?? mostReadings;
  }

  /** Whether another picture of a stream would have to wait too long. */
  get isBusy(): boolean {
    return this.#waiting.size >= mostWaitingLive;
  }

  /** Pictures that were looked at. */
  get looked(): number {
    return this.#looked;
  }

  /** What looked like words in some pictures and could not be read, where there was any. */
  get unreadable(): Note[] {
    if (this.#unreadable === 0) return [];
    const languages = this.#reader.languages.join(', ');
    const pictures = this.#unreadable === 1 ? 'one picture' : `${this.#unreadable} pictures`;
    const message = `In ${pictures} something that may be writing was not read: it is in another script than that of ${languages}, too small, or no writing.`;
    return [{ code: 'words_not_readable', message }];
  }

  /** For streams, whose evidence is taken as it comes: one failure does not end the reading, and nothing piles up. */
  forget(): void {
    this.#failure = undefined;
    this.#evidence.length = 0;
  }

  /** Resolves when all pictures that were looked at so far have been read. */
  async settled(): Promise<void> {
    await Promise.all(this.#waiting);
  }

  async look(picture: TimedPicture): Promise<void> {
    this.#looked += 1;
    const { blocks, regions, fingerprint } = textLikeness(picture);
    if (blocks === 0) {
      this.#shown = undefined;
      return;
    }
    if (this.#shown?.fingerprint === fingerprint && fingerprint !== '') {
      this.#shown.endSeconds = picture.seconds + this.#everySeconds;
      for (const each of this.#shown.found) each.endSeconds = this.#shown.endSeconds;
      return;
    }
    if (this.#readings >= this.#mostReadings || this.#failure !== undefined) {
      this.#unread += 1;
      return;
    }
    this.#readings += 1;
    const copy = { ...picture, rgb: new Uint8Array(picture.rgb) };
    const shown: Shown = {
      fingerprint,
      startSeconds: picture.seconds,
      endSeconds: picture.seconds + this.#everySeconds,
      found: [],
    };
    this.#shown = shown;
    const reading = this.#read(copy, regions, shown)
      .catch((error: unknown) => {
        // Nobody may be waiting: a reading that is given up says so at the end.
        if (this.#signal.aborted) return;
        this.#failure = error instanceof Error ? error.message : String(error);
      })
      .finally(() => this.#waiting.delete(reading));
    this.#waiting.add(reading);
    while (this.#waiting.size >= mostWaiting) await Promise.race(this.#waiting);
  }

  async #read(picture: TimedPicture, regions: readonly Region[], shown: Shown): Promise<void> {
    const text = await this.#reader.read(picture, regions, this.#signal);
    if (text === '') {
      this.#unreadable += 1;
      return;
    }
    const verdict = await this.#judge.judge(text);
    if (verdict === undefined) return;
    for (const [category, probability] of Object.entries(verdict.probs)) {
      if (probability < 0.02) continue;
      const evidence = {
        category,
        detector: 'text' as const,
        level: 'text' as const,
        startSeconds: shown.startSeconds,
        endSeconds: shown.endSeconds,
        probability,
        explanation: `Words in the picture: “${text.replaceAll(/\s+/g, ' ').slice(0, 200)}”.`,
      };
      shown.found.push(evidence);
      this.#evidence.push(evidence);
      this.#onEvidence(evidence);
    }
  }

  /** Everything that was found, once all pictures have been read. @throws the signal’s reason */
  async end(): Promise<{ evidence: Evidence[]; notes: Note[]; looked: number }> {
    await Promise.all(this.#waiting);
    this.#signal.throwIfAborted();
    const notes: Note[] = this.unreadable;
    if (this.#failure !== undefined)
      notes.push({
        code: 'words_not_read',
        message: `Words in the picture were not read: ${this.#failure}`.slice(0, 500),
      });
    else if (this.#unread > 0)
      notes.push({
        code: 'words_not_read',
        message: `${this.#unread} pictures that may hold words were not read: ${this.#mostReadings} is the most.`,
      });
    return { evidence: this.#evidence, notes, looked: this.#looked };
  }
}
