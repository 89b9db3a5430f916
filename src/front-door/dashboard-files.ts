import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { readEnv } from '#base/config/read-env.ts';
import type { Logger } from '#base/log/log.ts';

type State = 'built' | 'building' | 'failed';

export interface DashboardFiles extends AsyncDisposable {
  /** Where they lie, or will. */
  readonly folder: string;
  state(): State;
  /** Resolves when a build that was needed has ended, well or not. */
  readonly settled: Promise<void>;
}

const require = createRequire(import.meta.url);

/** What the built files depend on, but for the packages, whose versions stand in the lock file. */
function sourceHash(root: string): string {
  const files = [
    ...globSync(['dashboard/**/*.{ts,tsx,css,html,svg,woff2}'], {
      cwd: root,
      exclude: ['dashboard/dist*/**'],
    }),
    ...globSync(['src/**/contract/**/*.ts', 'src/**/contract.ts'], { cwd: root }),
    'package-lock.json',
  ].sort();
  return hash('sha256', files.map((file) => `${file}\n${readFileSync(join(root, file), 'utf8')}`).join('\0'));
}

const stampOf = (dist: string) => {
  try {
    return readFileSync(join(dist, '.sources'), 'utf8');
  } catch {
    return undefined;
  }
};

/** A deployment carries the built files and not what builds them. */
const canBuild = (folder: string) => globSync('vite.config.ts', { cwd: folder }).length > 0;

/** The dashboard's built files; built in a process of its own where the sources have changed since. */
export async function openDashboardFiles(folder: string, log: Logger): Promise<DashboardFiles> {
  const dist = join(folder, 'dist');
  const wanted = canBuild(folder) ? sourceHash(join(folder, '..')) : undefined;
  let state: State = wanted === undefined || stampOf(dist) === wanted ? 'built' : 'building';
  // Served from below here; the folder must be there before the first build ends.
  if (state === 'building') await mkdir(join(dist, 'assets'), { recursive: true });
  const stop = new AbortController();
  const replace = async () => {
    try {
      const next = await build(folder, stop.signal);
      await writeFile(join(next, '.sources'), wanted ?? '');
      await putInPlace(next, dist, wanted ?? '');
      state = 'built';
      log.info('the dashboard is built');
    } catch (error) {
      state = 'failed';
      if (!stop.signal.aborted) log.error({ err: error }, 'the dashboard could not be built');
    }
  };
  const settled = state === 'building' ? replace() : Promise.resolve();
  return {
    folder: dist,
    state: () => state,
    settled,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await settled;
    },
  };
}

/** Another process may build the same at the same time: then whose files are there does not matter. */
async function putInPlace(next: string, dist: string, wanted: string): Promise<void> {
  await rm(dist, { recursive: true, force: true });
  try {
    await rename(next, dist);
  } catch (error) {
    await rm(next, { recursive: true, force: true });
    if (stampOf(dist) !== wanted) throw error;
  }
}

/** Builds into a folder beside the old files, so that a build that is cut off leaves them whole. */
async function build(folder: string, signal: AbortSignal): Promise<string> {
  const next = join(folder, `dist.${process.pid}`);
  const vite = join(require.resolve('vite/package.json'), '..', 'bin', 'vite.js');
  const child = spawn(
    process.execPath,
    [vite, 'build', '--outDir', next, '--emptyOutDir', '--logLevel', 'warn'],
    {
      cwd: folder,
      // In a shell or a test run with another value, libraries would be built with their checks for developers.
      env: { ...readEnv(), NODE_ENV: 'production' },
      signal,
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-4_000);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`vite ended with ${code}: ${said}`);
  return next;
}
