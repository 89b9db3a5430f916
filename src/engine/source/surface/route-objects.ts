import type { Given } from '../taint/frame.ts';
import type { Value } from '../taint/value.ts';
import type { Note } from './offer.ts';
import { textAt } from './written.ts';

const noRoutes: readonly Value[] = [];

function routesIn(value: Value): readonly Value[] {
  const { fields } = value;
  if (fields === undefined) return noRoutes;
  return fields.has('handler') ? [value] : [...fields.values()];
}

/** `app.route({ method: 'POST', url: '/run', handler })` of fastify, and hapi's with `path`; also a list of them. */
export function ofRouteObjects(name: string, [first]: readonly Given[], note: Note): void {
  if (first === undefined || !name.endsWith('.route')) return;
  for (const { fields } of routesIn(first.value)) {
    const path = textAt(fields?.get('url') ?? fields?.get('path'));
    const fn = fields?.get('handler')?.fn;
    if (fn !== undefined && path !== '')
      note({ kind: 'http', name: `route ${path}`, description: '', fn, firstOnly: true });
  }
}
