import { type Frame, type Reader, base } from './frame-readers.ts';

type ReadAction = (match: RegExpExecArray, frame: Frame) => Frame | undefined;

const said = (match: RegExpExecArray, at: number) => match[at] ?? '';
const away: ReadAction = (match, frame) =>
  /^(?:your )?(?:hands|fingers|paws)$/i.test(said(match, 1))
    ? undefined
    : base(frame, `write, send, share, save and log ${said(match, 1)} in ${said(match, 2)}`, true);
const frozen: ReadAction = (match, frame) =>
  base(frame, `change, write, create and delete ${said(match, 1)} ${said(match, 2)}`, true);

/** Ways of saying that a thing stays as it is, or where it is. */
const shapes: readonly (readonly [shape: RegExp, action: ReadAction])[] = [
  [
    /^(?:always )?keep\s+(?:all |any |the |our )?(.{3,80}?)\s+(?:out of|away from|off(?: of)?)\s+(.{2,})$/i,
    away,
  ],
  [/^(.{3,80}?)\s+must (?:be kept|stay|remain)\s+(?:out of|away from|off(?: of)?)\s+(.{2,})$/i, away],
  [
    /^(?:leave|let)\s+(?:the |our |any |all )?(.{3,80}?)\s+(?:alone|be|untouched|as (?:it is|they are|is))$/i,
    (match, frame) => base(frame, `change and delete ${said(match, 1)}`, true),
  ],
  [
    /^(?:(?:keep|stay) (?:your )?(?:hands |fingers |paws |well )?(?:off|out of|away from|clear of)(?: of)?|hands off(?: of)?|stay (?:out|off)(?: of)?)\s+(?:the |our |any )?(.{3,})$/i,
    (match, frame) => base(frame, `access, read and change ${said(match, 1)}`, true),
  ],
  [
    /^(?:treat\s+)?(.{3,80}?)\s+(?:is|are|as|must be|must stay|must remain|stays?)\s+(?:strictly )?(?:read[- ]only|immutable|frozen|untouchable)\b(.*)$/i,
    frozen,
  ],
  [
    /^(.{3,80}?)\s+(?:is|are|stays?|remains?)\s+(?:strictly )?hands[- ]off(?: for .{2,40})?$/i,
    (match, frame) => base(frame, `change, write and delete ${said(match, 1)}`, true),
  ],
  [/^read[- ]only(?: access)?\s+(?:to|on|for|in)\s+(.{3,})$/i, frozen],
  [
    /^(?:always )?(?:keep|treat)\s+(.{3,80}?)\s+(?:as )?(?:strictly )?(?:private|confidential|secret|internal|to (?:yourself|ourselves))$/i,
    (match, frame) => base(frame, `share and disclose ${said(match, 1)}`, true),
  ],
  [
    /^(?:always )?(?:keep\s+)?(.{3,80}?)\s+(?:must )?(?:stays?|remains?|belongs?|lives?|be kept|be stored)\s+(?:only )?((?:in|inside|within|with|on)\s+.{2,}?)(?:[,:]\s*.*)?$/i,
    (match, frame) =>
      /\d/.test(said(match, 2))
        ? undefined
        : {
            ...base(frame, `write, send, share, save and move ${said(match, 1)}`, true),
            onlySo: [said(match, 2)],
          },
  ],
];

/** "Keep X out of Y", "leave X alone", "X is read-only", "X stays within Y". */
export const readKept: Reader = (text, frame) => {
  for (const [shape, action] of shapes) {
    const match = shape.exec(text);
    const found = match === null ? undefined : action(match, frame);
    if (found !== undefined) return found;
  }
  return undefined;
};
