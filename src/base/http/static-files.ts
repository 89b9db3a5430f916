import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';

export interface StaticSettings {
  /** The folder that contains `assets/`, whose files are immutable. */
  folder: string;
  /** Sent with the page only, not with its assets. */
  pageHeaders: Readonly<Record<string, string>>;
}

/**
 * Serves the files of a browser application, precompressed if a `.br` or `.gz` exists.
 * @returns a handler that serves the application's page, for its client-side routes.
 */
export function addStaticFiles(
  app: FastifyInstance,
  { folder, pageHeaders }: StaticSettings,
): (reply: FastifyReply) => FastifyReply {
  void app.register(fastifyStatic, {
    root: folder,
    prefix: '/',
    serve: false,
    preCompressed: true,
    cacheControl: false,
  });
  app.get('/assets/*', (request, reply) =>
    reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .sendFile(`assets/${(request.params as { '*': string })['*']}`),
  );
  return (reply) => reply.headers({ ...pageHeaders, 'cache-control': 'no-cache' }).sendFile('index.html');
}
