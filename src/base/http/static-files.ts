import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';

export interface StaticSettings {
  /** Of the folder that holds `assets/`; its files never change under one name. */
  folder: string;
  /** Sent with the page, not with the files that it loads. */
  pageHeaders: Readonly<Record<string, string>>;
}

/**
 * Serves the files of a browser application, compressed ahead where there is a `.br` or `.gz` beside them.
 * @returns what answers the application's page, for every address that is one of its own.
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
