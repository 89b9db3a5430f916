import type { HttpApp } from '#base/http/server.ts';

const limitBytes = 32 * 1024;

/** Takes small forms and JSON as the text that they are; another type of body is 415, a longer one 413. */
export function takeRawBodies(app: HttpApp): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    ['application/x-www-form-urlencoded', 'application/json'],
    { parseAs: 'string', bodyLimit: limitBytes },
    (_, body, done) => done(null, body),
  );
}
