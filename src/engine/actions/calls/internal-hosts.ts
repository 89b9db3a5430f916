/** Hosts inside: of this machine, of private networks, and of clouds that tell a machine about itself. */
import { BlockList, isIP } from 'node:net';

const networks: readonly (readonly [address: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
];

/** IPv4 addresses written as IPv6 ones are checked as what they are. */
const inside = new BlockList();
for (const [address, bits] of networks)
  inside.addSubnet(address, bits, address.includes(':') ? 'ipv6' : 'ipv4');

const names = /^(?:localhost|metadata\.google)|\.(?:internal|local|localhost|cluster\.local)$/;

/** @param host as `hostOf` gives it: without brackets, numbers in their usual form */
export function isInternalHost(host: string): boolean {
  const version = isIP(host);
  return version === 0 ? names.test(host) : inside.check(host, version === 4 ? 'ipv4' : 'ipv6');
}
