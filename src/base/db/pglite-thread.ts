/** Worker thread of the embedded database: opens the given folder and runs the statements it receives. */
import { parentPort, workerData } from 'node:worker_threads';
import { engineHere, type RawResult } from './pglite-engine.ts';
import type { ThreadError, ThreadMessage, ThreadRequest } from './pglite-messages.ts';
import { startInFolder } from './pglite-start.ts';

const say = (message: ThreadMessage) => parentPort?.postMessage(message);

const engine = engineHere(await startInFolder(workerData as string));
engine.onNotification((channel, payload) => say({ channel, payload }));

async function answer({ ask }: ThreadRequest): Promise<readonly RawResult[]> {
  if (ask === 'close') await engine.close();
  else if ('exec' in ask) return engine.exec(ask.exec);
  else if ('copy' in ask) await engine.copy(ask.copy, ask.text);
  else return [await engine.query(ask.query, ask.params)];
  return [];
}

function plain(error: unknown): ThreadError {
  if (!(error instanceof Error)) return { message: String(error), fields: {} };
  // Only the error's string fields are sent; the statement and its parameters stay here.
  const texts = Object.entries(error).filter(
    ([name, value]) => typeof value === 'string' && name !== 'query',
  );
  return { message: error.message, fields: Object.fromEntries(texts) };
}

parentPort?.on('message', (request: ThreadRequest) => {
  const { id } = request;
  answer(request).then(
    (results) => {
      say({ id, results });
      if (request.ask === 'close') parentPort?.close();
    },
    (error: unknown) => say({ id, error: plain(error) }),
  );
});
say({ ready: true });
