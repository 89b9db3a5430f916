import { tryCases } from '../fixtures/try-cases.ts';

// Months are counted from zero: Monday, 23 March 2026.
const at = (day: number, hour: number, minute = 0) => ({ now: new Date(2026, 2, day, hour, minute) });
const call = ['deploy', {}] as const;
tryCases(
  'a window over the week goes from day to day',
  'Deny when it happens the days and hours from Friday 16:00 and Monday 08:00.',
  [
    ['Friday late', [call], true, at(27, 16)],
    ['Sunday', [call], true, at(29, 3)],
    ['Monday early', [call], true, at(30, 7, 59)],
    ['Monday at eight', [call], false, at(30, 8)],
    ['Friday noon', [call], false, at(27, 12)],
  ],
);
tryCases(
  'what is planned counts when it is planned for',
  'Deny when it happens outside of between 09:00 and 17:00.',
  [
    ['planned in time', [['schedule_call', { start: '2026-03-24T10:00' }]], false, at(23, 22)],
    ['planned late', [['schedule_call', { start: '2026-03-24T18:00' }]], true, at(23, 10)],
    ['a day without an hour', [['schedule_call', { start: '2026-03-24' }]], false, at(23, 10)],
    ['no date', [['schedule_call', { start: 'soon' }]], true, at(23, 22)],
  ],
);
