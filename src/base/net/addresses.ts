/** Which network addresses users' URLs may reach (SSRF protection). */
import { BlockList, isIP } from 'node:net';

/** What the operator allows beyond the public internet. */
export interface PrivateNetworkRule {
  /** `true`, or CIDR blocks, as in the setting `allow_private_network`. */
  readonly allowed: readonly string[];
  /** Whether loopback addresses are allowed: in development. */
  readonly loopback: boolean;
}

const subnets = (...blocks: string[]): BlockList => {
  const list = new BlockList();
  for (const block of blocks) {
    const [address = '', prefix] = block.split('/');
    list.addSubnet(address, Number(prefix), address.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
};

const loopbackBlocks = subnets('127.0.0.0/8', '::1/128');

/**
 * Everything that is not a public unicast address (IANA special-purpose registries): this machine, private and shared
 * networks, link-local ones with their metadata services, documentation, benchmarks, multicast, reserved. And the one
 * public address of a cloud's metadata service (Azure).
 */
const specialBlocks = subnets(
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '168.63.129.16/32',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/128',
  '::1/128',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '3fff::/20',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
);

/** IPv6 ranges that embed an IPv4 address, and the index of the group where it starts. */
const carriers: readonly [blocks: BlockList, group: number][] = [
  [subnets('::/96', '::ffff:0:0/96', '::ffff:0:0:0/96', '64:ff9b::/96'), 6],
  [subnets('2002::/16'), 1],
];

const family = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const dotted = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const plain =
    dotted === null
      ? address
      : address.slice(0, dotted.index) +
        [0, 2].map((i) => ((Number(dotted[i + 1]) << 8) | Number(dotted[i + 2])).toString(16)).join(':');
  const [head = '', tail] = plain.split('::');
  const read = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const before = read(head);
  const after = tail === undefined ? [] : read(tail);
  return [...before, ...Array<number>(Math.max(0, 8 - before.length - after.length)).fill(0), ...after];
}

/** The IPv4 address inside an IPv6 one (mapped, compatible, NAT64, 6to4); else the address itself. */
function innermost(address: string): string {
  if (isIP(address) !== 6) return address;
  const [bare = address] = address.split('%');
  const carrier = carriers.find(([blocks]) => blocks.check(bare, 'ipv6'));
  if (carrier === undefined || bare === '::' || bare === '::1') return bare;
  const groups = groupsOf(bare);
  const high = groups[carrier[1]] ?? 0;
  const low = groups[carrier[1] + 1] ?? 0;
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** Returns a function that decides whether an IP address may be connected to. */
export function addressCheck({ allowed, loopback }: PrivateNetworkRule): (address: string) => boolean {
  if (allowed.some((entry) => entry.toLowerCase() === 'true')) return () => true;
  const own = allowed.filter((entry) => entry.toLowerCase() !== 'false');
  const ownBlocks = subnets(
    ...own.map((entry) => (entry.includes('/') ? entry : `${entry}/${isIP(entry) === 6 ? 128 : 32}`)),
  );
  return (address) => {
    const real = innermost(address);
    if (isIP(real) === 0) return false;
    if (ownBlocks.check(real, family(real))) return true;
    if (loopback && loopbackBlocks.check(real, family(real))) return true;
    return !specialBlocks.check(real, family(real));
  };
}
