/** Transport to a child process: JSON lines over standard input and output, in a process group of its own. */
import { AppError } from '#base/errors.ts';
import type { ProcessLimits } from '#base/processes/process-limits.ts';
import type { SandboxOptions } from '#base/processes/sandbox.ts';
import { startProcess, type RunningProcess } from '#base/processes/start-process.ts';
import { requestOfBroken } from './broken-response.ts';
import { asMessage, parseJson, type RpcMessage } from './json-rpc.ts';
import { LastWords } from './last-words.ts';
import { eachLine } from './lines.ts';
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

/** What shells end with where they do not find a program. */
const notFoundStatus = 127;
const pathAdvice =
  ' It runs with its own environment alone, which has no PATH: add PATH to its variables, so that it finds the programs that it starts.';

export class StdioTransport implements Transport {
  readonly #settings: StdioTransportSettings;
  #child: RunningProcess | undefined;
  #isOver = false;
  readonly #lastWords = new LastWords();
  /** Sent in this turn of the event loop, and not written yet. */
  #lines = '';
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
      const lacksPath = code === notFoundStatus && env['PATH'] === undefined;
      return this.#end(started, events, this.#crashed(how, lacksPath ? pathAdvice : ''));
    });
  }

  send(message: RpcMessage): Promise<void> {
    if (this.#child === undefined || this.#isOver) return Promise.reject(this.#crashed('is not running'));
    // Calls of many clients arrive together: one write for all of them wakes the process once.
    if (this.#lines === '') setImmediate(() => this.#flush());
    this.#lines += `${JSON.stringify(message)}\n`;
    return Promise.resolve();
  }

  #flush(): void {
    const lines = this.#lines;
    this.#lines = '';
    if (lines !== '') this.#child?.stdin.write(lines);
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
    this.#lastWords.add(clean);
    this.#settings.onNoise?.(clean.slice(0, keptNoiseCharacters));
  }

  async #end(started: RunningProcess, events: TransportEvents, reason: AppError): Promise<void> {
    if (!this.#isOver) {
      this.#isOver = true;
      events.closed(reason);
      this.#flush();
    }
    await started.stop();
  }

  #crashed(what: string, advice = '') {
    const { text: words } = this.#lastWords;
    return new AppError(
      502,
      'upstream_ended',
      `The MCP server ${what}.${words === '' ? '' : ` Its last words: ${words}`}${advice}`,
    );
  }

  #readFrom(started: RunningProcess, events: TransportEvents) {
    const { limitBytes } = this.#settings;
    /** A response that cannot be taken fails its own call; the others of this server go on. */
    const onBroken = (head: string, tail: string, what: string) => {
      const id = requestOfBroken(head, tail);
      if (id === undefined) this.#noise(head);
      else events.broken(id, new AppError(502, 'upstream_garbage', `The MCP server wrote ${what}.`));
    };
    const onLine = (line: string) => {
      let message: RpcMessage | undefined;
      try {
        message = asMessage(parseJson(line));
      } catch (error) {
        const what = error instanceof RangeError ? 'JSON that nests too deep' : 'a message that is not JSON';
        onBroken(line, line, what);
        return;
      }
      // Programs may print other text to standard output; it is not a message.
      if (message === undefined) this.#noise(line);
      else events.message(message, undefined);
    };
    const guarded = (run: () => void) => {
      if (this.#isOver) return;
      try {
        run();
      } catch (cause) {
        // An exception in a stream listener would end our process; instead it closes this connection.
        const reason = 'The MCP server wrote a message that cannot be taken.';
        void this.#end(started, events, new AppError(502, 'upstream_garbage', reason, { cause }));
      }
    };
    eachLine(started.stdout, limitBytes, {
      line: (line) => guarded(() => onLine(line)),
      tooLong: ({ head, tail }) =>
        guarded(() => onBroken(head, tail, `a message of more than ${limitBytes} bytes`)),
    });
    eachLine(started.stderr, 64 * 1024, {
      line: (line) => this.#noise(line),
      tooLong: ({ head }) => this.#noise(head),
    });
  }
}
