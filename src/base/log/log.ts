import { isatty } from 'node:tty';
import { pino, type Logger as PinoLogger } from 'pino';
import { toIsoTime } from '../clock.ts';
import { withoutSecretsInUrls } from '../secrets/without-secrets-in-urls.ts';
import { textLine } from './text-line.ts';

export type Logger = PinoLogger;

export interface LogSettings {
  level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** Lines of JSON, or text for people; `auto`, the default: text at a terminal. */
  format?: 'auto' | 'json' | 'text';
  /** File descriptor to write to; default: 2 (standard error). */
  fd?: number;
}

/** Fields that are redacted from logs at any depth. */
const secretPaths = ['password', 'refresh_token', 'access_token', 'key', 'authorization', 'secret'].flatMap(
  (name) => [name, `*.${name}`],
);

type Destination = ReturnType<typeof pino.destination>;

const destinations = new Set<Destination>();
process.once('exit', () => {
  for (const destination of destinations) destination.flushSync();
});

/**
 * Buffers 4 KiB or a quarter of a second, and flushes at exit: handing each line to
 * another thread costs a busy service a fifth of its time on one core.
 */
function openDestination(fd: number): Destination {
  const destination = pino.destination({ fd, sync: true, minLength: 4096, periodicFlush: 250 });
  destinations.add(destination);
  return destination;
}

function openLines({ format = 'auto', fd = 2 }: LogSettings): { write: (line: string) => void } {
  const destination = openDestination(fd);
  if (format === 'json' || (format === 'auto' && !isatty(fd))) return destination;
  return { write: (line) => void destination.write(textLine(line)) };
}

/** A logger of JSON lines (level as a word, time as ISO 8601) or of text for people; secrets are redacted. */
export const createLog = (settings: LogSettings): Logger =>
  pino(
    {
      level: settings.level,
      base: null,
      timestamp: () => `,"time":"${toIsoTime(Date.now())}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secretPaths, censor: '[secret]' },
      // Errors of drivers and fetch repeat the URL they were given, including the password.
      hooks: { streamWrite: withoutSecretsInUrls },
    },
    openLines(settings),
  );
