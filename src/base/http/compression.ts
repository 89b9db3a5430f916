import { constants as zlib } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

/** Smaller responses gain nothing. */
const thresholdBytes = 1024;

/** Compressible text types; not event streams, since compression would delay events. */
const compressible =
  /^(?:application\/(?:json|problem\+json|javascript|x-ndjson)|text\/(?!event-stream)[\w-]+|image\/svg\+xml)\b/;

/**
 * Compresses responses to GET with brotli or gzip, as the client accepts. Other methods are not compressed: a
 * token next to attacker-chosen text could be guessed from the size (BREACH). Add routes afterwards.
 */
export async function addCompression(app: FastifyInstance): Promise<void> {
  await app.register(compress, {
    threshold: thresholdBytes,
    encodings: ['br', 'gzip'],
    customTypes: compressible,
    // Request bodies are not decompressed.
    globalDecompression: false,
    // Compressed per response: favour speed over size.
    brotliOptions: { params: { [zlib.BROTLI_PARAM_QUALITY]: 4 } },
  });
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') request.headers['x-no-compression'] = '1';
    done();
  });
}
