import type { Model } from './model.ts';
import { joinTaints } from './taints.ts';
import { allTaints, cleared } from './value.ts';

/** Go's `url.URL{Scheme: …, Host: …, Path: …}`: what does not stand in the host does not choose it. */
export const assembledAddress: Model = ({ called, args, machine }) => {
  const host = machine.rules.bitOf('server-side-request-forgery') | machine.rules.bitOf('open-redirect');
  const lists = args.map(({ name, value }) =>
    allTaints(/^(?:Host|Scheme|Opaque|User)$/.test(name ?? 'Host') ? value : cleared(value, host)),
  );
  return { taints: joinTaints(lists), ref: `${called.name}()` };
};
