import dns, { type LookupAddress, type LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** How long a name server may take when an earlier answer is known, in milliseconds. */
const patienceMs = 250;
/** A process connects to a handful of hosts; the bound is for mistakes. */
const maxHosts = 100;

/**
 * Makes every connection of this process use the last known address of its host when the name server is slow or fails. Container
 * networks leave lookups unanswered for ten seconds and more while containers come and go, although the addresses that matter have
 * not changed; and each lookup under way occupies one of the four threads that files and compression need as well.
 *
 * It replaces `dns.lookup`, which sockets use by default, because most clients (`fetch` among them) do not let a lookup be passed in.
 *
 * @returns `freeze`, which lets known hosts be looked up no more: Node cannot exit before every lookup under way has ended.
 */
export function rememberLookups(): { freeze(): void; restore(): void } {
  const original = dns.lookup;
  const known = new Map<string, LookupAddress[]>();
  const pending = new Map<string, Promise<LookupAddress[]>>();
  let frozen = false;

  /** One lookup of a host at a time. */
  const resolve = (host: string, { family, hints }: LookupOptions): Promise<LookupAddress[]> => {
    const key = `${host} ${family ?? 0} ${hints ?? 0}`;
    const underWay = pending.get(key);
    if (underWay) return underWay;
    const lookup = new Promise<LookupAddress[]>((fulfil, reject) => {
      original(host, { family, hints, all: true }, (error, addresses) => {
        pending.delete(key);
        if (error) return reject(error);
        if (known.size >= maxHosts) known.clear();
        known.set(key, addresses);
        fulfil(addresses);
      });
    });
    pending.set(key, lookup);
    return lookup;
  };

  const lookup: LookupFunction = (host, options, callback) => {
    const last = known.get(`${host} ${options.family ?? 0} ${options.hints ?? 0}`);
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
    const timer = last && setTimeout(() => once(() => answer(last)), patienceMs);
    resolve(host, options).then(
      (addresses) => once(() => answer(addresses)),
      (error: NodeJS.ErrnoException) => once(() => (last ? answer(last) : callback(error, []))),
    );
  };

  // `dns.lookup(host, callback)`, `(host, 6, callback)` and `(host, options, callback)` are all allowed.
  dns.lookup = ((host: string, ...given: unknown[]) => {
    const callback = given.pop() as Parameters<LookupFunction>[2];
    const [options = {}] = given as [LookupOptions | number | undefined];
    lookup(host, typeof options === 'number' ? { family: options } : options, callback);
  }) as typeof dns.lookup;

  return {
    freeze: () => (frozen = true),
    restore: () => (dns.lookup = original),
  };
}
