import { Worker } from 'node:worker_threads';
import type { PgliteEngine, RawResult } from './pglite-engine.ts';
import type { ThreadError, ThreadMessage, ThreadRequest } from './pglite-messages.ts';

interface Waiting {
  readonly resolve: (results: readonly RawResult[]) => void;
  readonly reject: (error: Error) => void;
}

const rebuilt = ({ message, fields }: ThreadError): Error => Object.assign(new Error(message), fields);

/** An ended thread is reported as a lost database connection. */
const ended = (cause?: unknown): Error =>
  Object.assign(new Error('The thread of the embedded database has ended.', { cause }), {
    severity: 'FATAL',
  });

/**
 * Runs the embedded database in a worker thread, so that a statement does not block the event loop.
 * @throws the error of opening it
 */
export async function openInThread(folder: string): Promise<PgliteEngine> {
  const worker = new Worker(new URL('./pglite-thread.ts', import.meta.url), { workerData: folder });
  const waiting = new Map<number, Waiting>();
  let listener: (channel: string, payload: string) => void = () => undefined;
  let nextId = 1;
  let over: Error | undefined;
  const ready = Promise.withResolvers<undefined>();

  const settle = (id: number): Waiting | undefined => {
    const one = waiting.get(id);
    waiting.delete(id);
    // Keep the process alive while statements are pending, and only then.
    if (waiting.size === 0) worker.unref();
    return one;
  };
  const end = (error: Error) => {
    over ??= error;
    ready.reject(over);
    for (const id of waiting.keys()) settle(id)?.reject(over);
  };
  worker.on('message', (message: ThreadMessage) => {
    if ('ready' in message) ready.resolve(undefined);
    else if ('channel' in message) listener(message.channel, message.payload);
    else if ('results' in message) settle(message.id)?.resolve(message.results);
    else settle(message.id)?.reject(rebuilt(message.error));
  });
  worker.once('error', (error: Error) => end(nextId === 1 ? error : ended(error)));
  const exited = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      end(ended());
      resolve();
    });
  });
  await ready.promise;
  worker.unref();

  const ask = (what: ThreadRequest['ask']) =>
    new Promise<readonly RawResult[]>((resolve, reject) => {
      if (over !== undefined) {
        reject(over);
        return;
      }
      const id = nextId++;
      waiting.set(id, { resolve, reject });
      if (waiting.size === 1) worker.ref();
      worker.postMessage({ id, ask: what } satisfies ThreadRequest);
    });

  return {
    async query(sql, params) {
      const [result] = await ask({ query: sql, params });
      return result ?? { fields: [], rows: [], command: undefined };
    },
    copy: async (statement, text) => void (await ask({ copy: statement, text })),
    exec: (sql) => ask({ exec: sql }),
    onNotification: (onMessage) => (listener = onMessage),
    async close() {
      await ask('close');
      worker.ref();
      await exited;
    },
  };
}
