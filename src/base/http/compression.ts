import { constants as zlib } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

/** Smaller answers gain nothing. */
const thresholdBytes = 1024;

/** Text that is sent whole; event streams are not, since compression would hold their events back. */
const compressible =
  /^(?:application\/(?:json|problem\+json|javascript|x-ndjson)|text\/(?!event-stream)[\w-]+|image\/svg\+xml)\b/;

/**
 * Compresses answers to GET with brotli or gzip, as the client takes them. Answers to other methods stay as they are: a
 * token next to text that a stranger chose could be guessed from their size. Routes must be added afterwards.
 */
export async function addCompression(app: FastifyInstance): Promise<void> {
  await app.register(compress, {
    threshold: thresholdBytes,
    encodings: ['br', 'gzip'],
    customTypes: compressible,
    // Requests are taken as they are.
    globalDecompression: false,
    // Made for each answer anew: the quick level, not the smallest result.
    brotliOptions: { params: { [zlib.BROTLI_PARAM_QUALITY]: 4 } },
  });
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') request.headers['x-no-compression'] = '1';
    done();
  });
}
