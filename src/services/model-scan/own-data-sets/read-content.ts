/**
 * Content that somebody uploads, read in a thread: it may have ten megabytes of YAML, some kinds of which take the parser
 * minutes, and the process answers others meanwhile.
 */
import { badRequest } from '#base/errors.ts';
import { runThread, ThreadLimitError } from '#base/processes/run-thread.ts';
import { createSemaphore } from '#base/semaphore.ts';
import type { ContentTask, ReadContent } from './cases-of.ts';

export const mostCases = 20_000;

const mostThreads = createSemaphore(2, { mostWaiting: 50 });
const limits = { timeoutMs: 30_000, memoryBytes: 1024 * 1024 * 1024 } as const;

/** @throws AppError 400 that names `content` */
export async function readContent(task: ContentTask): Promise<ReadContent> {
  using _place = await mostThreads.acquire();
  const read = await inThread(task);
  if ('unusable' in read) throw badRequest(read.unusable);
  return read;
}

async function inThread(task: ContentTask): Promise<ReadContent | { readonly unusable: string }> {
  try {
    return await runThread(new URL('./content-thread.ts', import.meta.url), task, limits);
  } catch (error) {
    if (!(error instanceof ThreadLimitError)) throw error;
    const what =
      error.limit === 'time'
        ? `longer than ${limits.timeoutMs / 1000} seconds`
        : 'more memory than there is for it';
    throw badRequest(`'content' takes ${what} to read; split it, or send it as jsonl.`, error);
  }
}
