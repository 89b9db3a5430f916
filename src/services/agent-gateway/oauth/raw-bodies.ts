import type { HttpApp } from '#base/http/server.ts';

const limitBytes = 32 * 1024;

/** Accepts small forms and JSON as plain text; other content types are 415, larger bodies 413. */
export function takeRawBodies(app: HttpApp): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    ['application/x-www-form-urlencoded', 'application/json'],
    { parseAs: 'string', bodyLimit: limitBytes },
    (_, body, done) => done(null, body),
  );
}
