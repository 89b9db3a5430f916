/** Subtitles of a file: what is said or explained, in text. */
import type { Decoder } from '../decoding/decoder.ts';
import type { Media } from '../decoding/probe.ts';
import type { Note } from './detector.ts';

export interface Cue {
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly text: string;
}

const mostStreams = 4;
const mostCues = 20_000;
const readMs = 20_000;
/** Cues that follow each other are judged together, since a sentence goes on over several. */
const groupCharacters = 300;
const groupSeconds = 20;

const secondsOf = (text: string): number => {
  const [hours = '0', minutes = '0', seconds = '0'] = text.split(':');
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds.replace(',', '.'));
};

/** Reads SubRip. */
export function cuesOf(text: string): Cue[] {
  const cues: Cue[] = [];
  for (const block of text.split(/\r?\n\r?\n/)) {
    const found = /(\d{1,6}:\d\d:\d\d[,.]\d{1,9}) --> (\d{1,6}:\d\d:\d\d[,.]\d{1,9})[^\n]*\n([\s\S]*)/.exec(
      block,
    );
    if (found === null || cues.length >= mostCues) continue;
    const [, start = '', end = '', said = ''] = found;
    const words = said.replaceAll(/<[^<>]*>|\{[^{}]*\}/g, '').trim();
    if (words !== '') cues.push({ startSeconds: secondsOf(start), endSeconds: secondsOf(end), text: words });
  }
  return cues;
}

export function grouped(cues: readonly Cue[]): Cue[] {
  const groups: Cue[] = [];
  for (const cue of cues) {
    const last = groups.at(-1);
    if (
      last !== undefined &&
      last.text.length + cue.text.length <= groupCharacters &&
      cue.endSeconds - last.startSeconds <= groupSeconds &&
      cue.startSeconds >= last.startSeconds
    )
      groups[groups.length - 1] = { ...last, endSeconds: cue.endSeconds, text: `${last.text} ${cue.text}` };
    else groups.push(cue);
  }
  return groups;
}

export async function readSubtitles(
  decoder: Decoder,
  path: string,
  media: Media,
  signal: AbortSignal,
): Promise<{ cues: Cue[]; notes: Note[] }> {
  const readable = media.subtitles.filter(({ isText }) => isText);
  const notes: Note[] = [];
  const left = media.subtitles.length - Math.min(readable.length, mostStreams);
  if (left > 0)
    notes.push({
      code: 'subtitles_not_read',
      message: `${left} of ${media.subtitles.length} subtitle streams were not read: pictures of text, or more than ${mostStreams}.`,
    });
  const cues: Cue[] = [];
  for (const { index } of readable.slice(0, mostStreams)) {
    const args = [
      '-nostdin',
      '-v',
      'error',
      ...decoder.inputOptions(path),
      '-map',
      `0:${index}`,
      '-f',
      'srt',
      'pipe:1',
    ];
    const { code, stdout } = await decoder.run('ffmpeg', args, { wallMs: readMs }, { file: path, signal });
    signal.throwIfAborted();
    if (code === 0) cues.push(...cuesOf(stdout.toString('utf8')));
    else notes.push({ code: 'subtitles_not_read', message: `Subtitle stream ${index} could not be read.` });
  }
  return { cues: cues.toSorted((a, b) => a.startSeconds - b.startSeconds), notes };
}
