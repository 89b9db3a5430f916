/** A server that we start: JSON lines over its standard input and output, in a process group of its own. */
import type { Readable } from 'node:stream';
import { AppError } from '#base/errors.ts';
import { startProcess, type RunningProcess } from '#base/processes/start-process.ts';
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

const keptNoiseCharacters = 500;
/** Shorter values are words that any text may have. */
const shortestSecret = 6;

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
  let child: RunningProcess | undefined;
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

  const end = async (started: RunningProcess, events: TransportEvents, reason: AppError): Promise<void> => {
    if (!isOver) {
      isOver = true;
      events.closed(reason);
    }
    await started.stop();
  };

  const crashed = (what: string) =>
    new AppError(
      502,
      'upstream_ended',
      `The MCP server ${what}.${lastNoise === '' ? '' : ` Its last words: ${lastNoise}`}`,
    );

  const readFrom = (started: RunningProcess, events: TransportEvents) => {
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
      const { command, args, env, searchPath } = settings;
      const started = await startProcess({ command, args, env, searchPath });
      child = started;
      dispose = () => end(started, events, new AppError(503, 'closed', 'The MCP server was stopped.'));
      readFrom(started, events);
      void started.exited.then(({ code, signal }) => {
        const how = signal === null ? `ended with status ${code}` : `was ended by ${signal}`;
        return end(started, events, crashed(how));
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
