/** When what a call plans is to happen, as far as its arguments say. */
import type { Call } from '../../actions/calls/call.ts';
import { once } from '../../actions/calls/once.ts';
import { nameWords } from '../../actions/words.ts';

const planning = new Set(
  `at when date day time start starts begin begins scheduled schedule run send publish post execution pay payment delivery
  deliver pickup arrival arrive appointment visit kickoff kick departure depart collection go checkin from effective`.split(/\s+/),
);
/** What was, or how long something holds. */
const other = new Set(
  'created updated modified since birth born due expires expiry valid issued until end to previous old embargo last hired joined'.split(' '),
);
const dayShape = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d))?/;
const clockShape = /^(\d{1,2}):(\d\d)(?::\d\d)?$/;

/** The day and the hour, each where it is said; the other is taken from the present. */
export interface Planned {
  readonly day?: readonly [year: number, month: number, day: number];
  readonly minute?: number;
}

export const plannedBy = once((call: Call): Planned | undefined => {
  if (call.effects.size === 1 && call.effects.has('read')) return undefined;
  let day: Planned['day'];
  let minute: number | undefined;
  for (const { key, text } of call.leaves.slice(0, 60)) {
    if (text.length > 40) continue;
    const words = nameWords(key);
    if (words.some((word) => other.has(word)) || !words.some((word) => planning.has(word))) continue;
    const found = dayShape.exec(text);
    const clock = found === null ? clockShape.exec(text) : null;
    if (found !== null && day === undefined) {
      day = [Number(found[1]), Number(found[2]), Number(found[3])];
      if (found[4] !== undefined) minute ??= Number(found[4]) * 60 + Number(found[5]);
    }
    if (clock !== null && Number(clock[1]) < 24) minute ??= Number(clock[1]) * 60 + Number(clock[2]);
  }
  if (day === undefined && minute === undefined) return undefined;
  return { ...(day !== undefined && { day }), ...(minute !== undefined && { minute }) };
});

/** The moment of a call: the one that it plans for, else now. */
export function momentOf(call: Call, now: Date): Date {
  const planned = plannedBy(call);
  if (planned === undefined) return now;
  const [year, month, day] = planned.day ?? [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  const minute = planned.minute ?? (planned.day === undefined ? now.getHours() * 60 + now.getMinutes() : 12 * 60);
  return new Date(year, month - 1, day, Math.floor(minute / 60), minute % 60);
}
