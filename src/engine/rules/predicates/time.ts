import { met } from '../../actions/judging/met.ts';
import { isWithin, plannedFor } from '../../actions/judging/quantities.ts';
import type { TextReader } from '../wording/text-reader.ts';
import { choices, flag, oneWay, phrase, say, type Wording } from '../wording/wording.ts';
import type { PredicateKind } from './predicate-kind.ts';

const dayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const dayKeys = dayNames.map((name) => name.toLowerCase());
const dayWords = Object.fromEntries(dayKeys.map((key, at) => [key, dayNames[at] ?? '']));
const minutesOfDay = 1440;

/** When the call is made, or what it plans is to be; in the time zone of the machine. */
export interface TimePredicate {
  readonly is: 'time';
  /** `monday`, …; where there are none, every day. */
  readonly days?: readonly string[] | undefined;
  /** Minutes since midnight, `to` not included; a window may go over midnight. */
  readonly from: number;
  readonly to: number;
  /** `from` and `to` count from the beginning of Sunday. */
  readonly weekly?: true | undefined;
  readonly outside?: true | undefined;
}

const clock = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

function readClock(reader: TextReader): number | undefined {
  const hour = reader.number();
  const minute = reader.take(':') ? reader.number() : undefined;
  return hour === undefined || minute === undefined ? undefined : hour * 60 + minute;
}

/** "22:00", or "Friday 22:00". */
const moment = (key: 'from' | 'to', weekly: boolean): Wording => ({
  print(fields) {
    const minute = fields[key] as number;
    const day = weekly ? `${dayNames[Math.floor(minute / minutesOfDay) % 7] ?? ''} ` : '';
    return `${day}${clock(weekly ? minute % minutesOfDay : minute)}`;
  },
  read(reader) {
    const start = reader.at;
    const day = weekly ? dayNames.findIndex((name) => reader.take(name)) : 0;
    const minute = day < 0 ? undefined : readClock(reader);
    if (minute === undefined) reader.at = start;
    return minute === undefined ? undefined : { [key]: day * minutesOfDay + minute };
  },
});

const window = (weekly: boolean) => phrase(moment('from', weekly), say('and'), moment('to', weekly));

export const time: PredicateKind<TimePredicate> = {
  is: 'time',
  fields: {
    days: { type: 'choices', of: dayKeys, optional: true },
    from: { type: 'number' },
    to: { type: 'number' },
    weekly: { type: 'flag', optional: true },
    outside: { type: 'flag', optional: true },
  },
  refuse({ days, from, to, weekly }) {
    const most = weekly === true ? 7 * minutesOfDay - 1 : minutesOfDay;
    if (![from, to].every((minute) => Number.isInteger(minute) && minute >= 0 && minute <= most))
      return `'from' and 'to' must be whole minutes between 0 and ${most}`;
    return weekly === true && days !== undefined ? "'days' must not stand with 'weekly'" : undefined;
  },
  wording: phrase(
    say('happens'),
    flag('outside', 'outside of'),
    oneWay(
      [({ weekly }) => weekly === true, phrase(flag('weekly', 'the days and hours from'), window(true))],
      [
        () => true,
        phrase(
          oneWay(
            [({ days }) => days !== undefined, phrase(choices('days', dayWords), say('between'))],
            [() => true, say('between')],
          ),
          window(false),
        ),
      ],
    ),
  ),
  match({ context }, { days = [], from, to, weekly, outside = false }) {
    return met(
      isWithin(plannedFor(context.call) ?? context.now, {
        test: 'time',
        days: days.map((day) => dayKeys.indexOf(day)),
        fromMinute: weekly === true ? 0 : from,
        toMinute: weekly === true ? minutesOfDay : to,
        outside,
        ...(weekly === true && { week: [from, to] as [number, number] }),
      }),
    );
  },
};
