/** A server that we start: JSON lines over its standard input and output, in a process group of its own. */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#base/errors.ts';
import { guardGroup } from './guardian.ts';
import { asMessage, parseJson, type RpcMessage } from './json-rpc.ts';
import type { Transport, TransportEvents } from './transport.ts';

export interface StdioTransportSettings {
  readonly command: string;
  readonly args: readonly string[];
  /** All that it gets of an environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Where a command without a slash is looked for: `PATH` of its own environment, else of ours. */
  readonly searchPath: string;
  readonly limitBytes: number;
  /** A line that it wrote to standard error, or to standard output though it is no message. */
  readonly onNoise?: (line: string) => void;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const closeGraceMs = 500;
const terminateGraceMs = 2000;
const keptNoiseCharacters = 500;
/** Shorter values are words that any text may have. */
const shortestSecret = 6;

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The program's own path, so that a child without `PATH` is found all the same. */
function resolveCommand(command: string, searchPath: string): string {
  if (isAbsolute(command)) return command;
  if (command.includes('/'))
    throw new AppError(
      502,
      'command_not_found',
      `The command ${command} must be a name or an absolute path.`,
    );
  const found = searchPath
    .split(delimiter)
    .map((folder) => join(folder, command))
    .find(isExecutable);
  if (found === undefined)
    throw new AppError(502, 'command_not_found', `The command ${command} was not found on this machine.`);
  return found;
}

function signalGroup(group: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch {
    // Nobody is left in it.
    return false;
  }
}

const groupLives = (group: number): boolean => {
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
};

/** Asks, then insists: standard input closes, then SIGTERM, then SIGKILL, each to the whole group. */
async function endGroup(child: Child, group: number): Promise<void> {
  child.stdin.end();
  const over = async (withinMs: number) => {
    for (let waited = 0; waited < withinMs; waited += 20) {
      if (!groupLives(group)) return true;
      await sleep(20);
    }
    return !groupLives(group);
  };
  if (await over(closeGraceMs)) return;
  signalGroup(group, 'SIGTERM');
  if (await over(terminateGraceMs)) return;
  signalGroup(group, 'SIGKILL');
  await over(terminateGraceMs);
}

/** Cuts a stream into lines; `onTooLong` where one is longer than the limit. */
function eachLine(
  stream: Readable,
  limitBytes: number,
  onLine: (line: string) => void,
  onTooLong: () => void,
): void {
  let parts: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      parts.push(chunk.subarray(from, at));
      onLine(Buffer.concat(parts).toString('utf8'));
      parts = [];
      size = 0;
      from = at + 1;
    }
    if (from === chunk.length) return;
    parts.push(chunk.subarray(from));
    size += chunk.length - from;
    if (size > limitBytes) {
      parts = [];
      size = 0;
      onTooLong();
    }
  });
}

export function stdioTransport(settings: StdioTransportSettings): Transport {
  const { limitBytes, onNoise = () => undefined } = settings;
  let child: Child | undefined;
  let ending: Promise<void> | undefined;
  let isOver = false;
  let lastNoise = '';

  // What it was given in its environment may be a secret, and must not come out in an error or a log.
  const given = Object.values(settings.env)
    .filter(({ length }) => length >= shortestSecret)
    .toSorted((a, b) => b.length - a.length);
  const noise = (line: string) => {
    if (line.trim() === '') return;
    const clean = given.reduce((text, value) => text.replaceAll(value, '[redacted]'), line);
    lastNoise = clean.slice(0, keptNoiseCharacters);
    onNoise(lastNoise);
  };

  const end = (started: Child, events: TransportEvents, reason: AppError): Promise<void> => {
    if (!isOver) {
      isOver = true;
      events.closed(reason);
    }
    const group = started.pid;
    ending ??= group === undefined ? Promise.resolve() : endGroup(started, group);
    return ending;
  };

  const crashed = (what: string) =>
    new AppError(
      502,
      'upstream_ended',
      `The MCP server ${what}.${lastNoise === '' ? '' : ` Its last words: ${lastNoise}`}`,
    );

  const readFrom = (started: Child, events: TransportEvents) => {
    const onMessage = (line: string) => {
      let message: RpcMessage | undefined;
      try {
        message = asMessage(parseJson(line));
      } catch (cause) {
        if (cause instanceof RangeError) throw cause;
        // A program that prints to standard output besides: not our message.
      }
      if (message === undefined) noise(line);
      else events.message(message, undefined);
    };
    /** What a server says can end its own connection at worst: what a listener of a stream throws ends the process. */
    const onLine = (line: string) => {
      if (isOver) return;
      try {
        onMessage(line);
      } catch (cause) {
        void end(
          started,
          events,
          new AppError(502, 'upstream_garbage', 'The MCP server wrote a message that cannot be taken.', {
            cause,
          }),
        );
      }
    };
    eachLine(started.stdout, limitBytes, onLine, () => {
      void end(started, events, crashed(`wrote a message of more than ${limitBytes} bytes`));
    });
    eachLine(started.stderr, 64 * 1024, noise, () => undefined);
  };

  let dispose: (() => Promise<void>) | undefined;

  return {
    async open(events) {
      const command = resolveCommand(settings.command, settings.searchPath);
      const started = spawn(command, settings.args, {
        env: { ...settings.env },
        stdio: ['pipe', 'pipe', 'pipe'],
        detached: true,
      });
      child = started;
      started.stdin.on('error', () => undefined);
      const group = started.pid;
      const release = group === undefined ? undefined : guardGroup(group);
      started.once('exit', (code, signal) => {
        const how = signal === null ? `ended with status ${code}` : `was ended by ${signal}`;
        // What it had started and left behind goes as well.
        void end(started, events, crashed(how)).finally(release);
      });
      dispose = () => end(started, events, new AppError(503, 'closed', 'The MCP server was stopped.'));
      readFrom(started, events);
      await new Promise<void>((resolve, reject) => {
        started.once('spawn', resolve);
        started.once('error', (cause) => {
          const failed = new AppError(
            502,
            'command_failed',
            `The command ${settings.command} cannot be run.`,
            { cause },
          );
          isOver = true;
          reject(failed);
        });
      });
    },
    send(message) {
      if (child === undefined || isOver) return Promise.reject(crashed('is not running'));
      child.stdin.write(`${JSON.stringify(message)}\n`);
      return Promise.resolve();
    },
    agreed: () => undefined,
    listen: () => Promise.resolve(),
    async [Symbol.asyncDispose]() {
      await dispose?.();
    },
  };
}
