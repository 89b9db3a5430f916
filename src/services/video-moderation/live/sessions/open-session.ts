/** A session from its row: with the detectors and words of its deployment. */
import type { Logger } from '#base/log/log.ts';
import type { Caller } from '#identity/caller.ts';
import type { Decoder } from '../../decoding/decoder.ts';
import type { Deployments } from '../../deployments/deployments.ts';
import type { Settings } from '../../deployments/settings.ts';
import type { FrameDetector, Note } from '../../detectors/detector.ts';
import { WordsJudge, type WordsDeps } from '../../detectors/judge-words.ts';
import type { WordReader } from '../../detectors/read-words.ts';
import { callbackOf, EventWriter, type EventWriterDeps } from './event-writer.ts';
import { LiveSession, type LiveSessionDeps } from './live-session.ts';
import type { StoredStream } from './store.ts';

export interface SessionLimits {
  readonly idleSeconds: number;
  readonly frameBytes: number;
}

export interface SessionParts extends EventWriterDeps {
  readonly log: Logger;
  readonly decoder: Decoder;
  readonly deployments: Deployments;
  readonly frameDetectors: (
    settings: Settings,
  ) => Promise<{ detectors: readonly FrameDetector[]; notes: readonly Note[] }>;
  readonly words: WordsDeps;
  readonly wordReader: (languages: readonly string[]) => WordReader;
  readonly limits: SessionLimits;
}

/** @param caller words are judged for whom @throws AppError 404 where the deployment is gone */
export async function openSession(
  parts: SessionParts,
  stream: StoredStream,
  caller: Caller,
  saving: Pick<LiveSessionDeps, 'save' | 'saveEnd' | 'onEnded'>,
): Promise<LiveSession> {
  const { decoder, deployments, frameDetectors, log, limits } = parts;
  const settings = await deployments.settings(caller, stream.settings.deploymentId ?? undefined);
  const { detectors, notes } = await frameDetectors(settings);
  const words = wordsOf(parts, settings, caller);
  return new LiveSession(
    { decoder, log, idleMs: limits.idleSeconds * 1000, frameBytes: limits.frameBytes, ...saving },
    stream,
    new EventWriter(parts, stream.streamId, callbackOf(stream)),
    {
      settings,
      detectors,
      notes: [...notes, ...words.notes, ...notInSessions(settings)],
      words: words.words,
    },
  );
}

const ofFilesAlone = { subtitles: 'subtitles', metadata: 'metadata', vision: 'the vision model' } as const;

/** Detectors of the deployment that live sessions do not have; what they alone would cover is covered by nothing. */
function notInSessions({ detectors }: Settings): Note[] {
  const names = (['subtitles', 'metadata', 'vision'] as const).filter((name) => detectors[name].enabled);
  if (names.length === 0) return [];
  const list = names.map((name) => ofFilesAlone[name]).join(', ');
  return [{ code: 'not_in_live_sessions', message: `Used for files only, not for live streams: ${list}.` }];
}

function wordsOf({ words, wordReader }: SessionParts, settings: Settings, caller: Caller) {
  const { enabled, languages } = settings.detectors.text;
  if (!enabled) return { words: undefined, notes: [] };
  const reader = wordReader(languages);
  const [missing, ...others] = languages.filter((each) => !reader.languages.includes(each));
  const notes: Note[] =
    missing === undefined
      ? []
      : [
          {
            code: 'language_missing',
            message: `Text in pictures is not read in ${[missing, ...others].join(', ')}: install the npm package @tesseract.js-data/${missing}.`,
          },
        ];
  if (reader.languages.length === 0) return { words: undefined, notes };
  return { words: { reader, judge: new WordsJudge(words, caller, settings) }, notes };
}
