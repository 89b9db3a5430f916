/**
 * How far a call is read. Every reader takes time in proportion to what it is given, so that these bound the time of a
 * verdict; what lies beyond them is noted as not read and never passed over in silence.
 */

/** How far the values of one object are read. */
export interface Reach {
  readonly leaves: number;
  readonly depth: number;
  /** Characters of one text, its head and its tail together. */
  readonly text: number;
  /** Characters of all long texts together. */
  readonly total: number;
  /** What lies beyond is told; else nobody asks for it. */
  readonly tells: boolean;
}

/** Of the arguments of a call, which are judged: thousands of recipients and a file of 200 kB are ordinary. */
export const argumentReach: Reach = {
  leaves: 8000,
  depth: 500,
  text: 300_000,
  total: 1_000_000,
  tells: true,
};

/** Of what tools answered, which is read to know more of a call. */
export const answerReach: Reach = { leaves: 500, depth: 12, text: 20_000, total: Infinity, tells: false };

/** Commands and statements of one call. */
export const mostCommands = 20_000;

/** What of a call was not read. */
export interface Unread {
  /**
   * `text`: the middle of a long text; `values`: arguments beyond what is counted, or too deep; `command`: of a command line;
   * `code`: a program that commands run, which does not stand in the call or hides what it does; `folder`: which folder they change;
   * `number`: what stands where
   * a rule needs a number, and is none.
   */
  readonly what: 'text' | 'values' | 'command' | 'code' | 'folder' | 'number';
  /** Where it stands among the arguments; of several the first. */
  readonly path: string;
  /** Characters of the text or the line, else values. */
  readonly size: number;
  /** How much of it was read. */
  readonly read: number;
}

/** The head and the tail of a text that is longer: what is hidden by padding stands at one of them, or is told as not read. */
export function ends(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const tail = Math.floor(longest / 3);
  return `${text.slice(0, longest - tail)}\n${text.slice(-tail)}`;
}

const shown = (path: string) => (path.length > 80 ? `${path.slice(0, 60)}…` : path);
const said = (count: number) => count.toLocaleString('en-US');

/** In plain words. */
export function sayUnread({ what, path, size, read }: Unread): string {
  const of = `${said(read)} of ${said(size)}`;
  if (what === 'text') return `of \`${shown(path)}\` ${of} characters were read`;
  if (what === 'number') return `\`${shown(path)}\` is no number that can be read`;
  if (what === 'folder') return `\`${shown(path)}\` does not say in which folder it runs`;
  if (what === 'code')
    return `what \`${shown(path)}\` runs was not read, since it does not stand there in plain words`;
  if (what === 'command')
    return `the commands in \`${shown(path)}\` (${said(size)} characters) were not all read`;
  return `${of} values of the arguments were read, without \`${shown(path)}\` and what follows or lies in it`;
}
