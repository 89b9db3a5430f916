import { isIPv6 } from 'node:net';

/** The groups of an IPv6 address, with those that `::` abbreviates. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const groups = (part: string) => part.split(':').filter((group) => group !== '');
  if (tail === undefined) return groups(head);
  const missing = Math.max(0, 8 - groups(head).length - groups(tail).length);
  return [...groups(head), ...Array<string>(missing).fill('0'), ...groups(tail)];
}

/**
 * The unit for throttling: an IPv4 address, or the /64 prefix of an IPv6 address, since a client usually
 * controls the whole prefix.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [bare = ''] = address.toLowerCase().split('%');
  return /^::ffff:([\d.]+)$/.exec(bare)?.[1] ?? groupsOf(bare).slice(0, 4).join(':');
}
