import type { HttpApp } from '#base/http/server.ts';
import type { Assertions } from './assertions.ts';

const jwksPath = '/.well-known/jwks.json';

/** Shorter by far than keys are published before they sign. */
const cacheSeconds = 300;

/** The public keys, for the servers that are told who calls. */
export function addPublicKeys(app: HttpApp, assertions: Assertions): void {
  app.get(jwksPath, { config: { operation: 'jwks' } }, async (_request, reply) =>
    reply
      .header('cache-control', `public, max-age=${cacheSeconds}`)
      .type('application/jwk-set+json')
      .send(JSON.stringify(await assertions.publicKeys())),
  );
}
