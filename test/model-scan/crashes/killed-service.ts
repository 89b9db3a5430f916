/** Starts the service in a process of its own, and answers what was stored when it started. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { DatabaseSettings } from '#base/db/open.ts';
import { password } from '#identity/test-people.ts';

const program = fileURLToPath(new URL('./worker.ts', import.meta.url));

export interface KilledService extends AsyncDisposable {
  /** How often each conversation, as its SHA-256, was stored with its reply before this process, by scan. */
  readonly stored: ReadonlyMap<string, ReadonlyMap<string, number>>;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape.
  readonly post: (path: string, body: object) => Promise<{ status: number; text: string; body: any }>;
  /** Progress as soon as the scan is in one of the states. */
  // oxlint-disable-next-line typescript/no-explicit-any -- as above.
  readonly until: (scanId: string, ...statuses: string[]) => Promise<any>;
  /** Ends the process as a crash does. */
  readonly kill: () => Promise<void>;
}

export async function startService(
  settings: DatabaseSettings & { secretsDir: string },
): Promise<KilledService> {
  const child = spawn(process.execPath, [...process.execArgv, program, JSON.stringify(settings)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
  });
  const gone = once(child, 'exit');
  const stored = new Map<string, Map<string, number>>();
  let base: string | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('ready ')) {
      base = line.slice('ready '.length);
      break;
    }
    const [scanId, digest] = JSON.parse(line) as [string, string];
    const ofScan = stored.get(scanId) ?? new Map<string, number>();
    stored.set(scanId, ofScan.set(digest, (ofScan.get(digest) ?? 0) + 1));
  }
  if (base === undefined) throw new Error('The service ended before it listened.');
  const send = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(base + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, text, body: JSON.parse(text) };
  };
  const session = await send('/auth/login', { username: 'admin', password });
  const post: KilledService['post'] = (path, body) =>
    send(path, body, { authorization: `Bearer ${session.body.access_token}` });
  const until: KilledService['until'] = async (scanId, ...statuses) => {
    for (;;) {
      const { body } = await post('/v1/scan/progress', { scan_id: scanId });
      if (statuses.includes(body.status)) return body;
      if (body.status === 'Failed') throw new Error(JSON.stringify(body));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const kill = async () => {
    child.kill('SIGKILL');
    await gone;
  };
  return { stored, post, until, kill, [Symbol.asyncDispose]: kill };
}
