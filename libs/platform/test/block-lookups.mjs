// Preloaded with `--import`. As soon as the FIFO exists whose path is in the environment variable `BLOCKING_FIFO`, each name lookup opens it.
// Because nobody writes to it, this blocks a thread of the process, as a lookup does while no name server answers.
import dns from 'node:dns';
import { existsSync, open } from 'node:fs';

const { lookup } = dns;
const fifo = process.env.BLOCKING_FIFO;
dns.lookup = (...given) => (existsSync(fifo) ? open(fifo, 'r', () => undefined) : lookup(...given));
