/** Routes that a server registers by calls: which function answers a request. */
import type { Given, Machine } from '../taint/frame.ts';
import type { FunctionValue, Value } from '../taint/value.ts';
import { functionOfObject } from './java.ts';
import type { Note } from './offer.ts';
import { isForItself } from './own-protocol.ts';
import { ofRouteObjects } from './route-objects.ts';
import { textAt } from './written.ts';

const isRoute =
  /(?:^|\.)Route$|\.(?:get|post|put|delete|patch|all|use|route|on|ws|head|options|GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|Any|Get|Post|Put|Patch|Delete|Head|Options|All|Add|Handle|HandleFunc|Method|MethodFunc|HandlerFunc|createContext|addExactPath|addPrefixPath)$/;
const isServer = /(?:^|\.)(?:createServer|serve)$/;

/** Routes of Java whose path stands in the call before, `router.get("/x").handler(…)`, or nowhere. */
const isPathless =
  /\.(?:get|post|put|delete|patch|route)\(\)\.(?:handler|blockingHandler|respond)$|\bRouter(?:\(\)|\.router\(\))?\.\S*\.(?:handler|blockingHandler|respond)$|\bUndertow\b.*\.setHandler$/;

/** Whether a call of this name registers a route, or a server with one function for all requests. */
export const registersRoute = (name: string): boolean =>
  isRoute.test(name) || isServer.test(name) || isPathless.test(name);

/** What answers requests, where it is a function or an object with one. */
const answererIn = (value: Value, machine: Machine): FunctionValue | undefined =>
  value.fn ??
  value.fields?.get('fetch')?.fn ??
  value.fields?.get('handle')?.fn ??
  functionOfObject(value, machine);

/** The path of a route; `r.Method("GET", "/books", handler)` has it behind the method. */
function routeIn(args: readonly Given[]): string {
  const [first = '', second = ''] = args.map(({ value }) => textAt(value));
  return /^[A-Z]+$/.test(first) ? second : first;
}

/** Notes what a call registers as a route. */
export function ofRoute(name: string, args: readonly Given[], note: Note, machine: Machine): void {
  ofRouteObjects(name, args, note);
  const path = routeIn(args);
  if (isRoute.test(name) && !/^(?:[A-Z]+ )?\//.test(path) && path !== '*') return;
  for (const { value } of args) {
    const fn = answererIn(value, machine);
    if (fn !== undefined && fn.fn.parameters.length > 0 && !isForItself(name, fn))
      note({
        kind: 'http',
        name: `${name.slice(name.lastIndexOf('.') + 1)} ${path}`.trim(),
        description: '',
        fn,
        firstOnly: fn.module.grammar !== 'python',
      });
  }
}
