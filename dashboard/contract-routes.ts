import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

/** The files that hold operations as values. */
const isContract = (file: string) =>
  /\/src\/(?:services\/[^/]+\/contract\/[^/]+|alerts\/contract\/[^/]+|identity\/contract\/[^/]+|front-door\/contract)\.ts$/.test(
    file,
  );

/** What the client needs of an operation: {@link file://../src/base/contract/client.ts}. */
const needed = ['method', 'path', 'form', 'lines', 'rows', 'contentType'] as const;

/** Asks for the file itself. */
const whole = '?whole';

type Value = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Value =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

const isOperation = (value: unknown): value is Value =>
  isObject(value) && typeof value['method'] === 'string' && typeof value['path'] === 'string';

const routeOf = (operation: Value): Value => ({
  ...Object.fromEntries(needed.flatMap((name) => (name in operation ? [[name, operation[name]]] : []))),
  // Its schema stays away; that there is one tells the client to send a body.
  ...('body' in operation && operation['body'] !== undefined && { body: {} }),
});

const isOperations = (value: unknown): value is Readonly<Record<string, Value>> =>
  isObject(value) && Object.keys(value).length > 0 && Object.values(value).every(isOperation);

const routesOf = (operations: Readonly<Record<string, Value>>) =>
  Object.fromEntries(Object.entries(operations).map(([name, operation]) => [name, routeOf(operation)]));

/** Data that can be written down as it is, such as a list of names. */
const isPlain = (value: unknown): boolean =>
  value === null ||
  ['string', 'number', 'boolean'].includes(typeof value) ||
  (Array.isArray(value) && value.every(isPlain)) ||
  (isObject(value) && Object.values(value).every(isPlain));

/**
 * Keeps the schemas of the contracts out of the built dashboard: it calls the services of its own deployment, which
 * check what they are sent and what they answer. Of the operations, their routes are left; schemas and functions that a
 * contract exports come from the file itself, and bring the schemas along only where a page uses them.
 */
export function contractRoutes(): Plugin {
  return {
    name: 'contract-routes',
    apply: 'build',
    enforce: 'pre',
    resolveId: (source) => (source.endsWith(whole) ? { id: source, moduleSideEffects: false } : undefined),
    async load(id) {
      if (!isContract(id)) return null;
      const exports = (await import(pathToFileURL(id).href)) as Value;
      const lines = Object.entries(exports).map(([name, value]) =>
        isOperations(value) || isPlain(value)
          ? `export const ${name} = ${JSON.stringify(isOperations(value) ? routesOf(value) : value)};`
          : `export { ${name} } from ${JSON.stringify(id + whole)};`,
      );
      return { code: lines.join('\n'), moduleType: 'js', moduleSideEffects: false };
    },
  };
}
