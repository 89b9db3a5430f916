/** Transport to a child process: JSON lines over standard input and output, in a process group of its own. */
import type { Readable } from 'node:stream';
import { AppError } from '#base/errors.ts';
import type { ProcessLimits } from '#base/processes/process-limits.ts';
import type { SandboxOptions } from '#base/processes/sandbox.ts';
import { startProcess, type RunningProcess } from '#base/processes/start-process.ts';
import { asMessage, parseJson, type RpcMessage } from './json-rpc.ts';
import type { Transport, TransportEvents } from './transport.ts';

export interface StdioTransportSettings {
  readonly command: string;
  readonly args: readonly string[];
  /** The complete environment of the process. */
  readonly env: Readonly<Record<string, string>>;
  /** Search path for commands without a slash: `PATH` of its environment, else ours. */
  readonly searchPath: string;
  readonly limitBytes: number;
  /** Default: neither, for servers that administrators registered. */
  readonly sandbox?: SandboxOptions;
  readonly limits?: ProcessLimits;
  /** Receives lines of standard error, and lines of standard output that are not messages. */
  readonly onNoise?: (line: string) => void;
}

const keptNoiseCharacters = 500;
/** Shorter values are not redacted, since they may be ordinary words. */
const shortestSecret = 6;

/** Splits a stream into lines; calls `onTooLong` if a line exceeds the limit. */
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

export class StdioTransport implements Transport {
  readonly #settings: StdioTransportSettings;
  #child: RunningProcess | undefined;
  #isOver = false;
  #lastNoise = '';
  // Values of its environment may be secrets and are redacted from errors and logs.
  readonly #given;
  #dispose: (() => Promise<void>) | undefined;

  constructor(settings: StdioTransportSettings) {
    this.#settings = settings;
    this.#given = Object.values(settings.env)
      .filter(({ length }) => length >= shortestSecret)
      .toSorted((a, b) => b.length - a.length);
  }

  async open(events: TransportEvents): Promise<void> {
    const { command, args, env, searchPath, sandbox, limits } = this.#settings;
    const started = await startProcess({
      command,
      args,
      env,
      searchPath,
      ...(sandbox && { sandbox }),
      ...(limits && { limits }),
    });
    this.#child = started;
    this.#dispose = () =>
      this.#end(started, events, new AppError(503, 'closed', 'The MCP server was stopped.'));
    this.#readFrom(started, events);
    void started.exited.then(({ code, signal }) => {
      const how = signal === null ? `ended with status ${code}` : `was ended by ${signal}`;
      return this.#end(started, events, this.#crashed(how));
    });
  }

  send(message: RpcMessage): Promise<void> {
    if (this.#child === undefined || this.#isOver) return Promise.reject(this.#crashed('is not running'));
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
    return Promise.resolve();
  }

  agreed(): void {
    // The transport does not send the protocol version.
  }

  listen(): Promise<void> {
    return Promise.resolve();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#dispose?.();
  }

  #noise(line: string) {
    if (line.trim() === '') return;
    const clean = this.#given.reduce((text, value) => text.replaceAll(value, '[redacted]'), line);
    this.#lastNoise = clean.slice(0, keptNoiseCharacters);
    this.#settings.onNoise?.(this.#lastNoise);
  }

  async #end(started: RunningProcess, events: TransportEvents, reason: AppError): Promise<void> {
    if (!this.#isOver) {
      this.#isOver = true;
      events.closed(reason);
    }
    await started.stop();
  }

  #crashed(what: string) {
    return new AppError(
      502,
      'upstream_ended',
      `The MCP server ${what}.${this.#lastNoise === '' ? '' : ` Its last words: ${this.#lastNoise}`}`,
    );
  }

  #readFrom(started: RunningProcess, events: TransportEvents) {
    const { limitBytes } = this.#settings;
    const onMessage = (line: string) => {
      let message: RpcMessage | undefined;
      try {
        message = asMessage(parseJson(line));
      } catch (cause) {
        if (cause instanceof RangeError) throw cause;
        // Programs may print other text to standard output; it is not a message.
      }
      if (message === undefined) this.#noise(line);
      else events.message(message, undefined);
    };
    /** An exception in a stream listener would end our process; instead a bad message only closes this connection. */
    const onLine = (line: string) => {
      if (this.#isOver) return;
      try {
        onMessage(line);
      } catch (cause) {
        void this.#end(
          started,
          events,
          new AppError(502, 'upstream_garbage', 'The MCP server wrote a message that cannot be taken.', {
            cause,
          }),
        );
      }
    };
    eachLine(started.stdout, limitBytes, onLine, () => {
      void this.#end(started, events, this.#crashed(`wrote a message of more than ${limitBytes} bytes`));
    });
    eachLine(
      started.stderr,
      64 * 1024,
      (line) => this.#noise(line),
      () => undefined,
    );
  }
}
