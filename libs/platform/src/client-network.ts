import { isIPv6 } from 'node:net';

/**
 * The key under which limits count a client's calls: an IPv4 address, or the /64 prefix of an IPv6 address. One client often has a whole /64 (RFC
 * 6177). Other text is returned unchanged.
 */
export function clientNetwork(address: string): string {
  const plain = unmappedAddress(address);
  return isIPv6(plain) ? groupsOf(plain).slice(0, 4).join(':') : plain;
}

/**
 * Takes the IPv4 address out of an IPv4-mapped IPv6 address (`::ffff:192.0.2.1`, RFC 4291, 2.5.5.2) in any notation. Other text is returned
 * unchanged.
 */
export function unmappedAddress(address: string): string {
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address);
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return address;
  const bytes = groups.slice(6).flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 0xff]);
  return bytes.join('.');
}

/** The eight groups of an IPv6 address, without leading zeros and without the zone (`%eth0`). */
function groupsOf(address: string): string[] {
  // The URL parser normalizes every notation.
  const { hostname } = new URL(`http://[${address.split('%')[0]}]`);
  const [head, tail] = hostname
    .slice(1, -1)
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':')));
  if (!tail) return head!;
  return [...head!, ...Array<string>(8 - head!.length - tail.length).fill('0'), ...tail];
}
