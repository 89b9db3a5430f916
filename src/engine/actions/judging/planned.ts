/** When what a call plans is to happen, as far as its arguments say. */
import type { Call } from '../calls/call.ts';
import { once } from '../calls/once.ts';
import { nameWords } from '../words.ts';

const planning = new Set(
  `at when date day time start starts begin begins scheduled schedule run send publish post execution pay payment delivery
  deliver pickup arrival arrive appointment visit kickoff kick departure depart collection go checkin from effective`.split(
    /\s+/,
  ),
);
/** What was, or how long something holds. */
const other = new Set(
  'created updated modified since birth born due expires expiry valid issued until end to previous old embargo last hired joined'.split(
    ' ',
  ),
);
const dayShape = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d))?/;
const clockShape = /^(\d{1,2}):(\d\d)(?::\d\d)?$/;

/** The day and the hour, each where it is said; the other is taken from the present. */
export interface Planned {
  readonly day?: readonly [year: number, month: number, day: number];
  readonly minute?: number;
}

/** A name such as `scheduled_at`, and not `created_at`. */
function isPlanning(key: string): boolean {
  const words = nameWords(key);
  return words.some((word) => planning.has(word)) && !words.some((word) => other.has(word));
}

const longest = 40;

function readDay(text: string): Planned {
  const found = dayShape.exec(text);
  if (found === null) return {};
  const [, year, month, day, hour, minute] = found;
  return {
    day: [Number(year), Number(month), Number(day)],
    ...(hour !== undefined && { minute: Number(hour) * 60 + Number(minute) }),
  };
}

function readClock(text: string): Planned {
  const found = clockShape.exec(text);
  const hour = Number(found?.[1] ?? 24);
  return hour < 24 ? { minute: hour * 60 + Number(found?.[2]) } : {};
}

/** The first day and the first hour that an argument plans for. */
export const plannedBy = once((call: Call): Planned | undefined => {
  if (call.effects.size === 1 && call.effects.has('read')) return undefined;
  let planned: Planned = {};
  for (const { key, text } of call.leaves.slice(0, 60))
    if (text.length <= longest && isPlanning(key))
      planned = { ...readClock(text), ...readDay(text), ...planned };
  return planned.day === undefined && planned.minute === undefined ? undefined : planned;
});

const noon = 12 * 60;

/** The moment of a call: the one that it plans for, else now. Of a day alone its noon is taken. */
export function momentOf(call: Call, now: Date): Date {
  const planned = plannedBy(call);
  if (planned === undefined) return now;
  const [year, month, day] = planned.day ?? [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  const minute = planned.minute ?? noon;
  return new Date(year, month - 1, day, Math.floor(minute / 60), minute % 60);
}
