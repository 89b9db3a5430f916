import type { HttpApp } from '#base/http/server.ts';
import type { Assertions } from './assertions.ts';

const jwksPath = '/.well-known/jwks.json';

/** Cache time of the published keys; much shorter than the time between a key's publication and its first use. */
const cacheSeconds = 300;

/** Publishes the public keys for servers that verify assertions. */
export function addPublicKeys(app: HttpApp, assertions: Assertions): void {
  app.get(jwksPath, { config: { operation: 'jwks' } }, async (_request, reply) =>
    reply
      .header('cache-control', `public, max-age=${cacheSeconds}`)
      .type('application/jwk-set+json')
      .send(JSON.stringify(await assertions.publicKeys())),
  );
}
