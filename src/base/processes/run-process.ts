import type { Readable } from 'node:stream';
import { startProcess, type ProcessEnd, type ProcessOptions } from './start-process.ts';

export interface ProcessResult extends ProcessEnd {
  readonly stdout: Buffer;
  /** The last 8 KiB of it. */
  readonly stderr: string;
  readonly sandbox: 'bubblewrap' | 'namespaces' | 'none';
}

const keptErrorBytes = 8 * 1024;
const presetOutputBytes = 16 * 1024 ** 2;
const presetWallMs = 60_000;

async function tailOf(stream: Readable): Promise<string> {
  let tail: Buffer = Buffer.alloc(0);
  for await (const chunk of stream as AsyncIterable<Buffer>)
    tail = Buffer.concat([tail, chunk]).subarray(-keptErrorBytes);
  return tail.toString('utf8');
}

async function allOf(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * Runs a program to its end and returns its output, however it ended: check `reason`. Default limits:
 * 60 s and 16 MiB of output.
 * @throws as {@link startProcess}
 */
export async function runProcess(
  options: ProcessOptions & { readonly input?: string | Uint8Array },
): Promise<ProcessResult> {
  const limits = { wallMs: presetWallMs, outputBytes: presetOutputBytes, ...options.limits };
  const running = await startProcess({ ...options, limits });
  running.stdin.end(options.input);
  const [stdout, stderr, end] = await Promise.all([
    allOf(running.stdout),
    tailOf(running.stderr),
    running.ended,
  ]);
  return { ...end, stdout, stderr, sandbox: running.sandbox };
}
