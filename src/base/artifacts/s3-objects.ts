import { openAsBlob } from 'node:fs';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { AwsClient } from 'aws4fetch';
import { unavailable } from '../errors.ts';
import type { Objects } from './objects.ts';

export interface S3Settings {
  /** The server's URL, such as https://s3.eu-central-1.amazonaws.com. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly timeoutMs: number;
}

const mostAttempts = 3;

/** Stores objects in an S3-compatible bucket, with path-style URLs and version 4 signatures. */
export function s3Objects(settings: S3Settings): Objects {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey, timeoutMs } = settings;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 });
  const urlOf = (id: string) =>
    `${endpoint.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}/artifacts/${encodeURIComponent(id)}`;

  const ask = async (method: string, id: string, init: RequestInit, accepts: readonly number[]) => {
    let failure = '';
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      try {
        // Limits only the time to the response head: a large body takes longer.
        const signal = AbortSignal.timeout(timeoutMs);
        const response = await client.fetch(urlOf(id), { ...init, method, signal, redirect: 'error' });
        if (accepts.includes(response.status)) return response;
        failure = `${response.status} ${/<Code>(\w+)<\/Code>/.exec(await response.text())?.[1] ?? ''}`.trim();
        if (response.status < 500 && response.status !== 429) break;
      } catch (error) {
        failure = (error as Error).message;
      }
    }
    throw unavailable(
      'The file store (artifacts.s3_endpoint) refused the request or did not answer. Try again shortly.',
      new Error(`${method} of ${bucket}: ${failure}`),
    );
  };

  return {
    async write(id, file, { sha256 }) {
      const body = await openAsBlob(file);
      // The hash is part of the signature, so a body altered on its way is refused.
      await ask('PUT', id, { body, headers: { 'x-amz-content-sha256': sha256 } }, [200]);
    },
    async read(id, range) {
      const headers = range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` };
      const { body, status } = await ask('GET', id, { headers }, [range === undefined ? 200 : 206, 404]);
      if (status === 404) {
        await body?.cancel();
        return undefined;
      }
      return body === null ? Readable.from([]) : Readable.fromWeb(body as ReadableStream);
    },
    async remove(id) {
      await ask('DELETE', id, {}, [200, 204, 404]);
    },
  };
}
