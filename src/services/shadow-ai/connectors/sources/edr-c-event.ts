import { bad, type Fields } from './client.ts';
import type { WindowAnswer } from './windows.ts';

/** An event as either interface tells it. */
export interface ConsoleEvent {
  readonly id: string | undefined;
  readonly atMs: number;
  readonly device: string | undefined;
  readonly deviceName: string | undefined;
  readonly os: string | undefined;
  readonly user: string | undefined;
  readonly processUid: string | undefined;
  readonly parentUid: string | undefined;
  readonly image: string | undefined;
  readonly commandLine: string | undefined;
  readonly parentCommandLine: string | undefined;
  /** Of a start: the process that was started. */
  readonly targetUid: string | undefined;
  readonly targetImage: string | undefined;
  readonly targetCommandLine: string | undefined;
  readonly targetUser: string | undefined;
  readonly filePath: string | undefined;
  readonly kind: string | undefined;
  readonly ip: string | undefined;
  readonly port: string | undefined;
  readonly direction: string | undefined;
  readonly request: string | undefined;
  readonly response: string | undefined;
}

export type Stream = 'process' | 'network' | 'file' | 'dns';

/** One of the two interfaces. */
export type Interface = (stream: Stream, from: Date, to: Date) => Promise<WindowAnswer<ConsoleEvent>>;

const eventTypes: Record<Stream, readonly string[]> = {
  process: ['Process Creation'],
  network: ['IP Connect', 'IP Listen'],
  file: ['File Creation', 'File Modification', 'File Rename'],
  dns: ['DNS Resolved', 'DNS Unresolved'],
};

/** Event types in both spellings, with spaces and without: consoles differ. */
export const typesOf = (stream: Stream): string[] =>
  eventTypes[stream].flatMap((type) => [type, type.replaceAll(' ', '')]);

export const asText = (value: unknown): string | undefined =>
  typeof value === 'number' || (typeof value === 'string' && value !== '') ? String(value) : undefined;

/** @throws AppError 502 for rows without a time: they would be put anywhere. */
export function timeOf(row: Fields, name: string): number {
  const value = row[name];
  const ms =
    typeof value === 'number'
      ? value
      : /^\d+$/.test(String(value))
        ? Number(value)
        : Date.parse(String(value));
  if (!Number.isFinite(ms)) throw bad(`Rows have no ${name}; the form of the source may have changed.`);
  // Some clusters answer in nanoseconds.
  return ms > 1e15 ? Math.floor(ms / 1e6) : ms;
}
