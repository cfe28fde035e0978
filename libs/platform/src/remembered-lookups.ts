import dns, { type LookupAddress, type LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** How long (ms) a name server may take if an earlier answer is known. */
const maxWaitMs = 250;
/** More than a process connects to. */
const maxHosts = 100;

/**
 * Makes this process use the last known address of a host when the name server is slow or fails. Container networks leave lookups unanswered for ten
 * seconds and more while containers come and go. Each lookup under way occupies one of four threads that files and compression need as well.
 *
 * Replaces `dns.lookup`, because most clients (`fetch` among them) do not let a lookup be passed in.
 *
 * @returns `freeze`, after which known hosts are not looked up any more, because Node cannot exit before every lookup has ended; and `restore`, which
 * puts the original `dns.lookup` back.
 */
export function rememberLookups(): { freeze(): void; restore(): void } {
  const original = dns.lookup;
  const known = new Map<string, LookupAddress[]>();
  const pending = new Map<string, Promise<LookupAddress[]>>();
  let frozen = false;

  /** Concurrent lookups of one host with the same options share one answer. */
  const resolve = (key: string, host: string, options: LookupOptions): Promise<LookupAddress[]> => {
    const underWay = pending.get(key);
    if (underWay) return underWay;
    const lookup = new Promise<LookupAddress[]>((fulfil, reject) => {
      original(host, { ...options, all: true }, (error, addresses) => {
        if (error) return reject(error);
        if (addresses.length === 0) {
          return reject(Object.assign(new Error(`${host} has no address`), { code: dns.NODATA }));
        }
        known.delete(key);
        known.set(key, addresses);
        if (known.size > maxHosts) known.delete(known.keys().next().value!);
        fulfil(addresses);
      });
    }).finally(() => pending.delete(key));
    pending.set(key, lookup);
    return lookup;
  };

  const lookup: LookupFunction = (host, options, callback) => {
    const { family, hints, order, verbatim } = options;
    const key = JSON.stringify([host, family, hints, order, verbatim]);
    const last = known.get(key);
    const answer = (addresses: LookupAddress[]) => {
      if (options.all) callback(null, addresses);
      else callback(null, addresses[0]!.address, addresses[0]!.family);
    };
    if (last && frozen) return void setImmediate(answer, last);
    let isAnswered = false;
    const once = (conclude: () => void) => {
      clearTimeout(timer);
      if (!isAnswered) conclude();
      isAnswered = true;
    };
    const timer = last && setTimeout(() => once(() => answer(last)), maxWaitMs);
    resolve(key, host, options).then(
      (addresses) => once(() => answer(addresses)),
      (error: NodeJS.ErrnoException) => once(() => (last ? answer(last) : callback(error, []))),
    );
  };

  // Callers may write `dns.lookup(host, callback)`, `(host, 6, callback)` or `(host, options, callback)`.
  const replacement = (host: string, ...given: unknown[]) => {
    const callback = given.at(-1) as Parameters<LookupFunction>[2];
    if (!host || typeof callback !== 'function') return original(host, ...(given as [typeof callback]));
    const options = given.length > 1 ? (given[0] as LookupOptions | number | null | undefined) : undefined;
    lookup(host, typeof options === 'number' ? { family: options } : (options ?? {}), callback);
  };
  // `util.promisify` needs the properties of the original.
  Object.defineProperties(replacement, Object.getOwnPropertyDescriptors(original));
  dns.lookup = replacement as typeof dns.lookup;

  return {
    freeze: () => (frozen = true),
    restore: () => (dns.lookup = original),
  };
}
