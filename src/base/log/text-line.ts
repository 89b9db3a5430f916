/** Lines of the log for people at a terminal. */
import { plain } from './plain.ts';

/** Not shown: the time stands in front, the level only where it matters, and the audit mark says nothing more. */
const leftOut = new Set(['level', 'time', 'service', 'msg', 'err']);
const quiet = new Set(['info', 'debug', 'trace']);

/**
 * One line of the JSON log as a person reads it: time of day, level from a warning on, service, message, fields. What a
 * terminal would obey is shown and not sent; lines that are no JSON are passed on like that.
 */
export function textLine(json: string): string {
  let entry: Record<string, unknown>;
  try {
    entry = JSON.parse(json) as Record<string, unknown>;
  } catch {
    return `${plain(json)}\n`;
  }
  const { level, time, service, msg, err } = entry;
  const fields = Object.entries(entry)
    .filter(([name]) => !leftOut.has(name))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const parts = [
    typeof time === 'string' ? time.slice(11, 19) : '',
    typeof level === 'string' && !quiet.has(level) ? level.toUpperCase() : '',
    typeof service === 'string' ? `${service}:` : '',
    typeof msg === 'string' ? msg : '',
    ...fields,
  ];
  const line = plain(parts.filter((part) => part !== '').join(' '));
  return `${line}${stackOf(err)}\n`;
}

function stackOf(error: unknown): string {
  const stack = (error as { stack?: unknown } | undefined)?.stack;
  if (typeof stack !== 'string') return '';
  return stack
    .split('\n')
    .map((each) => `\n    ${plain(each)}`)
    .join('');
}
