import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '#base/errors.ts';
import { refuseUnwritable } from '../files.ts';
import { keyOrLocalKey, modelScanUrlOf } from '../connection.ts';
import type { ModelScanOptions } from './open.ts';

/** Saves the download as it arrives. */
export async function downloadScan(
  scanId: string,
  options: ModelScanOptions & { output?: string },
): Promise<void> {
  const path = options.output ?? `${scanId}.zip`;
  refuseUnwritable(path);
  const baseUrl = modelScanUrlOf(options);
  const headers = await keyOrLocalKey({ ...options, baseUrl });
  const response = await fetch(`${baseUrl}/v1/scan/download`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers() },
    body: JSON.stringify({ scan_id: scanId }),
  });
  if (!response.ok || response.body === null) {
    const { detail } = (await response.json()) as { detail?: string };
    throw new AppError(response.status, 'refused', detail ?? `The service answered ${response.status}.`);
  }
  await pipeline(Readable.fromWeb(response.body), createWriteStream(path));
  console.log(path);
}
