import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';

const require = createRequire(import.meta.url);
const swaggerFolder = join(dirname(require.resolve('@fastify/swagger-ui/package.json')), 'static');
const redocFile = join(dirname(require.resolve('redoc/package.json')), 'bundles', 'redoc.standalone.js');

/** Both pages use local files only; the policy enforces it. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; base-uri 'none'; frame-ancestors 'none'";

/** A shield icon, inlined to avoid a request. */
const icon =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M8 1 2 3v5c0 4 3 6 6 7 3-1 6-3 6-7V3z" fill="#2f6fed"/></svg>',
  );

const page = (title: string, head: string, body: string) =>
  `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><link rel="icon" href="${icon}"><style>body { margin: 0 }</style>${head}</head>
<body>${body}</body>
</html>
`;

interface Asset {
  type: string;
  read: () => string | Buffer;
}

const script = (read: Asset['read']): Asset => ({ type: 'text/javascript; charset=utf-8', read });

const assets: Record<string, Asset> = {
  'swagger-ui.css': {
    type: 'text/css; charset=utf-8',
    read: () => readFileSync(join(swaggerFolder, 'swagger-ui.css')),
  },
  'swagger-ui-bundle.js': script(() => readFileSync(join(swaggerFolder, 'swagger-ui-bundle.js'))),
  'swagger-start.js': script(
    () =>
      "SwaggerUIBundle({ url: './openapi.json', dom_id: '#docs', deepLinking: true, persistAuthorization: false });",
  ),
  'redoc.standalone.js': script(() => readFileSync(redocFile)),
  'redoc-start.js': script(
    () => "Redoc.init('./openapi.json', { hideDownloadButtons: false }, document.getElementById('docs'));",
  ),
};

const html = (reply: FastifyReply, content: string) =>
  reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', contentSecurityPolicy)
    .send(content);

/** Serves `/openapi.json`, and `/docs` (Swagger UI) and `/redoc` as pages over it. */
export function addDocs(app: FastifyInstance, document: { info: { title: string } }): void {
  const json = JSON.stringify(document);
  const { title } = document.info;
  // Relative addresses: the pages also work behind a front door that adds a prefix.
  app.get('/openapi.json', (_, reply) =>
    reply.header('content-type', 'application/json; charset=utf-8').send(json),
  );
  app.get('/docs', (_, reply) =>
    html(
      reply,
      page(
        title,
        '<link rel="stylesheet" href="./docs-assets/swagger-ui.css">',
        '<div id="docs"></div><script src="./docs-assets/swagger-ui-bundle.js"></script>' +
          '<script src="./docs-assets/swagger-start.js"></script>',
      ),
    ),
  );
  app.get('/redoc', (_, reply) =>
    html(
      reply,
      page(
        title,
        '',
        '<div id="docs"></div><script src="./docs-assets/redoc.standalone.js"></script>' +
          '<script src="./docs-assets/redoc-start.js"></script>',
      ),
    ),
  );
  app.get('/docs-assets/:name', (request, reply) => {
    const { name } = request.params as { name: string };
    const asset = Object.hasOwn(assets, name) ? assets[name] : undefined;
    if (asset === undefined) return reply.callNotFound();
    return reply
      .headers({ 'content-type': asset.type, 'cache-control': 'public, max-age=3600' })
      .send(asset.read());
  });
}
