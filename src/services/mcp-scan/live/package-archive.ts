/** The archive of a package that a command line starts, from the registry that the operator has configured. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { AppError } from '#base/errors.ts';
import { readLimited, type Outbound } from '#base/net/outbound.ts';
import type { LaunchedPackage } from '#engine/mcp-servers/launched-package.ts';
import { ScanFailure } from '../scanning/scan-project.ts';

export interface PackageAccess {
  outbound: Outbound;
  /** Of npm packages; undefined: none is asked. */
  npmRegistry: string | undefined;
  limitBytes: number;
  signal?: AbortSignal | undefined;
}

const answerBytes = 8 * 1024 * 1024;

async function tarballOf(
  { name, version = 'latest' }: LaunchedPackage,
  registry: string,
  { outbound, signal }: PackageAccess,
): Promise<string> {
  const url = `${registry.replace(/\/+$/, '')}/${name.replace('/', '%2F')}/${encodeURIComponent(version)}`;
  const answer = await outbound.request(url, {
    headers: { accept: 'application/json' },
    ...(signal && { signal }),
  });
  const text = await readLimited(answer.body, answerBytes);
  if (answer.status !== 200)
    throw new ScanFailure(`The registry answered ${answer.status} for the package ${name}@${version}.`);
  const { dist } = JSON.parse(text) as { dist?: { tarball?: unknown } };
  if (typeof dist?.tarball !== 'string')
    throw new ScanFailure(`The registry has no archive of the package ${name}@${version}.`);
  return dist.tarball;
}

/**
 * Writes the archive of a package into a file; false where nobody may be asked for such packages.
 * @throws ScanFailure where it cannot be had
 */
export async function fetchPackage(
  launched: LaunchedPackage,
  file: string,
  access: PackageAccess,
): Promise<boolean> {
  const { outbound, npmRegistry, limitBytes, signal } = access;
  if (npmRegistry === undefined || launched.ecosystem !== 'npm') return false;
  try {
    const tarball = await tarballOf(launched, npmRegistry, access);
    const answer = await outbound.request(tarball, signal && { signal });
    if (answer.status !== 200) {
      answer.body.destroy();
      throw new ScanFailure(`The registry answered ${answer.status} for the archive of ${launched.name}.`);
    }
    let size = 0;
    await pipeline(
      answer.body,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          size += chunk.length;
          if (size > limitBytes)
            throw new ScanFailure(`The package ${launched.name} is larger than ${limitBytes} bytes.`);
          yield chunk;
        }
      },
      createWriteStream(file, { flags: 'wx', mode: 0o600 }),
    );
    return true;
  } catch (error) {
    if (error instanceof AppError || error instanceof SyntaxError)
      throw new ScanFailure(`The package ${launched.name} cannot be read: ${error.message}`, {
        cause: error,
      });
    throw error;
  }
}
