import dns, { type LookupAddress, type LookupOptions } from 'node:dns';
import { type LookupFunction, Socket } from 'node:net';

/** How long a name server may take when an earlier answer is known, in milliseconds. */
const patienceMs = 250;

type Answer = LookupAddress[];

/** The last answer for each host, and the question under way. A process connects to one or two hosts. */
const known = new Map<string, Answer>();
const asking = new Map<string, Promise<Answer>>();

/**
 * Resolves a host name like `dns.lookup`, but uses the last answer when the name server is slow or fails. Container networks answer no
 * lookup for ten seconds and more while containers come and go, although the addresses that matter have not changed.
 */
const steadyLookup: LookupFunction = (host, options, callback) => {
  const give = (answer: Answer) => {
    if (options.all) callback(null, answer);
    else callback(null, answer[0]!.address, answer[0]!.family);
  };
  let isGiven = false;
  const once = (conclude: () => void) => {
    clearTimeout(timer);
    if (!isGiven) conclude();
    isGiven = true;
  };
  const last = known.get(host);
  const timer = last && setTimeout(() => once(() => give(last)), patienceMs);
  ask(host, options).then(
    (answer) => once(() => give(answer)),
    (error: NodeJS.ErrnoException) => once(() => (last ? give(last) : callback(error, []))),
  );
};

/** One question at a time: each occupies a thread of the process for as long as it takes. */
function ask(host: string, { family, hints }: LookupOptions): Promise<Answer> {
  const underWay = asking.get(host);
  if (underWay) return underWay;
  const question = new Promise<Answer>((resolve, reject) => {
    dns.lookup(host, { family, hints, all: true }, (error, answer) => {
      asking.delete(host);
      if (error) return reject(error);
      known.set(host, answer);
      resolve(answer);
    });
  });
  asking.set(host, question);
  return question;
}

/** A socket that finds its host by `steadyLookup`. */
export function steadySocket(): Socket {
  const socket = new Socket();
  const connect = socket.connect.bind(socket);
  socket.connect = ((port: number, host: string) =>
    connect({ port, host, lookup: steadyLookup })) as Socket['connect'];
  return socket;
}
