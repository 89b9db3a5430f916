import { stepped } from './frame.ts';
import type { Model } from './model.ts';
import { joinTaints } from './taints.ts';
import { allTaints, cleared } from './value.ts';

/** Builders of addresses in Java. */
const ofBuilders = /UriComponentsBuilder|UriBuilder|URIBuilder|HttpUrl\b/;

/** `builder.queryParam(name, value)`: what stands behind the host does not choose it. */
export const behindHost: Model = ({ expression, called, args, machine, frame }) => {
  const { object } = called;
  if (object === undefined || frame.module.grammar !== 'java' || !ofBuilders.test(object.ref ?? ''))
    return undefined;
  const bits = machine.rules.bitOf('server-side-request-forgery') | machine.rules.bitOf('open-redirect');
  const given = joinTaints(args.map(({ value }) => allTaints(value)));
  const taints = joinTaints([object.taints, cleared({ taints: given }, bits).taints]);
  return { ...object, taints: stepped(taints, frame, expression), ref: `${called.name}()` };
};

/** Go's `url.URL{Scheme: …, Host: …, Path: …}`: what does not stand in the host does not choose it. */
export const assembledAddress: Model = ({ called, args, machine }) => {
  const host = machine.rules.bitOf('server-side-request-forgery') | machine.rules.bitOf('open-redirect');
  const lists = args.map(({ name, value }) =>
    allTaints(/^(?:Host|Scheme|Opaque|User)$/.test(name ?? 'Host') ? value : cleared(value, host)),
  );
  return { taints: joinTaints(lists), ref: `${called.name}()` };
};

/** Which argument of `new URI(scheme, host, path, fragment)` and of its like says where. */
const placeOfHost = (method: string, count: number): number | undefined => {
  if (method === 'URL') return count > 2 ? 1 : undefined;
  if (count === 7) return 2;
  return count > 3 ? 1 : undefined;
};

/** Java's addresses that are put together of parts: what does not stand in the host does not choose it. */
export const addressOfParts: Model = ({ called, args, machine, frame }) => {
  if (frame.module.grammar !== 'java') return undefined;
  const place = placeOfHost(called.method, args.length);
  if (place === undefined) return undefined;
  const host = machine.rules.bitOf('server-side-request-forgery') | machine.rules.bitOf('open-redirect');
  const lists = args.map(({ value }, at) => allTaints(at === place ? value : cleared(value, host)));
  return { taints: joinTaints(lists), ref: `${called.name}()` };
};
